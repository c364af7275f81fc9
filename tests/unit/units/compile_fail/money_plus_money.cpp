#include "units/money.hpp"
#include "units/quantity.hpp"

using namespace oblea;

const auto wrong = Money{1, Currency::eur} + Money{1, Currency::usd};
