#include "units/quantity.hpp"

using namespace oblea;

const Seconds wrong = 1.0;
