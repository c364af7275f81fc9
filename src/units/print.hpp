// Quantity to text, for people: three significant digits and the unit that keeps the number between 1 and 1000.
#pragma once

#include <string>

#include "units/money.hpp"
#include "units/quantity.hpp"

namespace oblea {

// Example: print_gib(Bytes(42.5e9)) is "39.6 GiB".
std::string print_gib(Bytes bytes);
std::string print_gb(Bytes bytes);
std::string print_time(Seconds seconds);        // "1.02 ms"
std::string print_bandwidth(BytesPerSecond b);  // "936 GB/s"
std::string print_watts(Watts watts);           // "1,685 W"
std::string print_money(Money money);           // "3,430 EUR"
std::string print_count(double count);          // "13,100"
std::string print_number(double number, int significant_digits = 3);

}  // namespace oblea
