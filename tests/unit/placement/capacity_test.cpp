#include "placement/capacity.hpp"

#include <gtest/gtest.h>

#include "base/limits.hpp"
#include "placement/layer_split.hpp"
#include "unit/placement/footprints.hpp"

namespace oblea {
namespace {

using test::dense_model;
using test::device;

TEST(Capacity, LargestWholeNumberOfAPredicate) {
  for (int limit : {0, 1, 2, 7, 1000}) {
    for (int edge = -1; edge <= limit; ++edge) {
      EXPECT_EQ(largest_whole(limit, [&](double n) { return n <= edge; }), edge);
    }
  }
}

// 80 x 4,096 B = 327,680 B a token: 4 GiB hold 13,107 tokens, and one byte less than 13,107 x 327,680 hold 13,106.
TEST(Capacity, ContextIsExactToTheToken) {
  const LayerLoads loads(dense_model(80, 1, 4096), {Tokens(0), 1, {}});
  EXPECT_EQ(largest_context(loads, 0, 80, kGiB * 4.0, 1), Tokens(13107));
  EXPECT_EQ(largest_context(loads, 0, 80, Bytes(13107.0 * 327680), 1), Tokens(13107));
  EXPECT_EQ(largest_context(loads, 0, 80, Bytes(13107.0 * 327680 - 1), 1), Tokens(13106));
  EXPECT_EQ(largest_context(loads, 0, 80, kGiB * 4.0, 3), Tokens(4369));
}

TEST(Capacity, ConcurrencyIsExactToTheRequest) {
  const LayerLoads loads(dense_model(2, 1, 4096), {Tokens(100), 1, {}});  // 819,200 B a request
  EXPECT_EQ(largest_concurrency(loads, 0, 2, Bytes(819200.0 * 7), Tokens(100)), 7);
  EXPECT_EQ(largest_concurrency(loads, 0, 2, Bytes(819200.0 * 7 - 1), Tokens(100)), 6);
  EXPECT_EQ(largest_concurrency(loads, 0, 2, Bytes(-5), Tokens(100)), 0);
}

TEST(Capacity, NothingThatGrowsMeansTheLimit) {
  const LayerLoads loads(dense_model(2, 1, 0), {Tokens(100), 1, {}});
  EXPECT_EQ(largest_context(loads, 0, 2, Bytes(10), 1), Tokens(kMaxContextTokens));
  EXPECT_EQ(largest_concurrency(loads, 0, 2, Bytes(10), Tokens(100)), kMaxUsers);
}

// Once a window is full more context costs nothing: 10 x 100 tokens x 4 B fit in 4,000 B whatever the context.
TEST(Capacity, FullWindowsDoNotGrow) {
  ModelFootprint model = dense_model(10, 1, 4);
  for (LayerFootprint& layer : model.layers) layer.window = 100;
  const LayerLoads loads(model, {Tokens(1000), 1, {}});
  EXPECT_EQ(largest_context(loads, 0, 10, Bytes(4000), 1), Tokens(kMaxContextTokens));
  EXPECT_EQ(largest_context(loads, 0, 10, Bytes(3999), 1), Tokens(99));
}

// Devices of 1,100 and 1,050 B, five layers of 200 B and 1 B a token each: 20 and 10 tokens; the second rules.
TEST(Capacity, TightestDeviceRulesThePlacement) {
  const std::vector<PlacementDevice> devices{device("a", 1100), device("b", 1050)};
  const LayerLoads loads(dense_model(10, 200, 1), {Tokens(4), 1, {}});
  const PlacementAnswer answer = plan_layer_split(loads, devices, UnitOrder::as_given);
  ASSERT_TRUE(fits(answer));
  const Placement& p = *placement_of(answer);
  EXPECT_EQ(p.context_max, Tokens(10));
  EXPECT_EQ(p.tightest_device, 1);
  EXPECT_EQ(p.concurrency_max, 2);         // 50 B / (5 x 4 B)
  EXPECT_EQ(p.kv_tokens_left, Tokens(6));  // 30 B free / 5 B
  const std::vector<StageCapacity> stages = stage_capacities(loads, p, devices);
  EXPECT_EQ(stages[0].context, Tokens(20));
  EXPECT_EQ(stages[0].concurrency, 5);
}

}  // namespace
}  // namespace oblea
