// What must compile with the same flags: without it, a broken include path would pass for a refusal.
#include "units/money.hpp"
#include "units/quantity.hpp"

using namespace oblea;

const Seconds sum = Seconds(1) + Bytes(1) / BytesPerSecond(1);
const double bare = Bytes(1).value();
const bool warmer = Watts(1) < Joules(1) / Seconds(1);
const Celsius raised = Celsius(20) + Kelvins(20);
const Money euros = convert(Money{1, Currency::usd}, Currency::eur, ExchangeRates{0.9});
