#include "units/quantity.hpp"

using namespace oblea;

const double wrong = Bytes(1);
