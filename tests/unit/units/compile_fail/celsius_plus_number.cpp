#include "units/money.hpp"
#include "units/quantity.hpp"

using namespace oblea;

const auto wrong = Celsius(20) + 20.0;
