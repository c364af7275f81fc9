#include "units/money.hpp"
#include "units/quantity.hpp"

using namespace oblea;

const auto wrong = Watts(1) < Seconds(1);
