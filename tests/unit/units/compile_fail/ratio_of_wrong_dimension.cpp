#include "units/money.hpp"
#include "units/quantity.hpp"

using namespace oblea;

const auto wrong = Seconds(Bytes(1) / BytesPerSecond(1)) + Hertz(1);
