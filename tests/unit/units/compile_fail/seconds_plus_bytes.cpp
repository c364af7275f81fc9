#include "units/money.hpp"
#include "units/quantity.hpp"

using namespace oblea;

const auto wrong = Seconds(1) + Bytes(1);
