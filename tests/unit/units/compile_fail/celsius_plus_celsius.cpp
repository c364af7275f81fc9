#include "units/money.hpp"
#include "units/quantity.hpp"

using namespace oblea;

const auto wrong = Celsius(20) + Celsius(20);
