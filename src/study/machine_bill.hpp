// Bill of a machine: every part that has to be bought, with the cheapest price of the list.
#pragma once

#include <string>
#include <vector>

#include "cost/bill.hpp"
#include "study/machine.hpp"
#include "units/money.hpp"

namespace oblea {

// Parts without a price are named in `unpriced`; the machine then cannot be bought as it stands.
Bill make_bill(const Machine& machine, const ProfileLibrary& library, Currency currency, bool allow_used,
               std::vector<std::string>& unpriced);

}  // namespace oblea
