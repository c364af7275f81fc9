#include "power/plugs.hpp"

#include <algorithm>

namespace oblea {
namespace {

constexpr int kHostEpsPlugs = 1;

int adapter_8pins(Watts card) { return card <= Watts(300) ? 2 : card <= Watts(450) ? 3 : 4; }

}  // namespace

PowerConnectors plugs_for_cards(const Psu& psu, bool feeds_host) {
  PowerConnectors plugs = psu.connectors.value;
  if (feeds_host) plugs.eps_8pin = std::max(0, plugs.eps_8pin - kHostEpsPlugs);
  return plugs;
}

int take_plugs(const PowerConnectors& need, Watts card, PowerConnectors& free) {
  const int hpwr = std::min(need.hpwr_12v, free.hpwr_12v);
  const int six = std::min(need.pcie_6pin, free.pcie_6pin);
  const int eps = std::min(need.eps_8pin, free.eps_8pin);
  const int eight = need.pcie_8pin + (need.pcie_6pin - six) + 2 * (need.eps_8pin - eps) +
                    (need.hpwr_12v - hpwr) * adapter_8pins(card);
  free.hpwr_12v -= hpwr;
  free.pcie_6pin -= six;
  free.eps_8pin -= eps;
  const int taken = std::min(eight, free.pcie_8pin);
  free.pcie_8pin -= taken;
  return eight - taken;
}

}  // namespace oblea
