#include "units/money.hpp"
#include "units/quantity.hpp"

using namespace oblea;

const auto wrong = Bytes(1) + 1.0;
