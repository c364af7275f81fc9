#include "power/supply_flow.hpp"

#include <vector>

#include <gtest/gtest.h>
#include <boost/random/uniform_real_distribution.hpp>

#include "base/random.hpp"
#include "parts.hpp"

namespace oblea {
namespace {

// The example of the header: 150 + 2 x 315 W on 1,000 W: 78 %, 0.92 - 0.03 x 0.56 = 0.9032.
TEST(SupplyFlow, ASupplyDrawsWhatItGivesAndItsLoss) {
  const Psu psu = parts::gold(1000, {});
  const std::vector<Watts> cards(2, Watts(315));
  const std::vector<SupplyFlow> flows = supply_flows({{{&psu, {}}}, {0, 0}, 0, {}}, Watts(150), cards, 230);
  ASSERT_EQ(flows.size(), 1u);
  EXPECT_EQ(flows[0].output, Watts(780));
  EXPECT_NEAR(flows[0].input.value(), 780 / 0.9032, 1e-9);
}

TEST(SupplyFlow, ASupplyThatGivesNothingDrawsNothing) {
  const Psu psu = parts::gold(1000, {});
  const std::vector<SupplyFlow> flows =
      supply_flows({{{&psu, {}}, {&psu, {}}}, {0}, 0, {}}, Watts(0), std::vector<Watts>{Watts(100)}, 230);
  EXPECT_EQ(flows[1].output, Watts(0));
  EXPECT_EQ(flows[1].input, Watts(0));
}

// 900 W on one rail of a 1,000 W and a 500 W supply: 600 and 300 W.
TEST(SupplyFlow, OnOneRailEachGivesByItsRating) {
  const Psu large = parts::gold(1000, {});
  const Psu small = parts::gold(500, {});
  const std::vector<SupplyFlow> flows =
      supply_flows({{{&large, {}}, {&small, {}}}, {0, 0}, 0, SupplySharing::load_sharing}, Watts(100),
                   std::vector<Watts>(2, Watts(400)), 230);
  EXPECT_NEAR(flows[0].output.value(), 600, 1e-9);
  EXPECT_NEAR(flows[1].output.value(), 300, 1e-9);
}

// Whatever the loads, the map and the mains: input x efficiency = output, and nothing is lost between parts.
TEST(SupplyFlow, InputTimesEfficiencyIsOutputAndTheOutputsAreTheLoads) {
  RandomStream random = make_random_stream(11, "supply flow");
  for (int round = 0; round < 2000; ++round) {
    const auto below = [&](double top) { return boost::random::uniform_real_distribution<double>(0, top)(random); };
    std::vector<Psu> psus;
    const int count = 1 + static_cast<int>(below(4));
    for (int i = 0; i < count; ++i) psus.push_back(parts::gold(300 + below(2000), {}));
    SupplyMap map;
    for (const Psu& psu : psus) map.supplies.push_back({&psu, {}});
    if (below(1) < 0.2) map.sharing = SupplySharing::redundant;
    const double places = map.sharing ? 1 : count;
    map.host_supply = static_cast<int>(below(places));
    std::vector<Watts> cards;
    Watts host(below(400));
    Watts all = host;
    for (int i = static_cast<int>(below(9)); i > 0; --i) {
      cards.emplace_back(below(600));
      all += cards.back();
      map.card_supply.push_back(static_cast<int>(below(places)));
    }
    const double volts = below(1) < 0.5 ? 100 + below(30) : 200 + below(50);
    Watts given{};
    for (std::size_t i = 0; const SupplyFlow& flow : supply_flows(map, host, cards, volts)) {
      EXPECT_NEAR(flow.input.value() * supply_efficiency(psus[i], flow.output, volts), flow.output.value(), 1e-9);
      EXPECT_GE(flow.input, flow.output);
      given += flow.output;
      ++i;
    }
    EXPECT_NEAR(given.value(), all.value(), 1e-9) << "round " << round;
  }
}

}  // namespace
}  // namespace oblea
