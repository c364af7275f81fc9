#include "placement/tensor_parallel.hpp"

#include <gtest/gtest.h>

#include "placement/shard.hpp"
#include "unit/placement/footprints.hpp"

namespace oblea {
namespace {

using test::dense_model;
using test::device;

constexpr CacheDemand kNothing{Tokens(0), 1, {}};

TEST(TensorParallel, GivesTwiceTheSmallerCard) {
  const std::vector<PlacementDevice> devices{device("16", 15.2e9), device("12", 11.2e9)};
  EXPECT_EQ(tensor_parallel_memory(devices, 2), Bytes(22.4e9));
  EXPECT_TRUE(fits(plan_tensor_parallel(dense_model(10, 2.2e9), kNothing, devices, 2)));
  const PlacementAnswer answer = plan_tensor_parallel(dense_model(10, 2.4e9), kNothing, devices, 2);
  ASSERT_FALSE(fits(answer));
  EXPECT_EQ(refusal_of(answer)->usable, Bytes(22.4e9));
  EXPECT_EQ(refusal_of(answer)->required, Bytes(24e9));
  EXPECT_EQ(refusal_of(answer)->tightest_device, 1);
  EXPECT_EQ(refusal_of(answer)->tightest_missing, Bytes(0.8e9));
}

// 64 heads: 64 % 3 = 1. The rule and its numbers are named.
TEST(TensorParallel, ThreeCardsCannotShare64Heads) {
  const PlacementAnswer answer =
      plan_tensor_parallel(dense_model(80, 1e9), kNothing, std::vector(3, device("a", 80e9)), 3);
  ASSERT_FALSE(fits(answer));
  EXPECT_EQ(refusal_of(answer)->why, WhyNot::heads_do_not_divide);
  EXPECT_EQ(refusal_of(answer)->group, 3);
  EXPECT_EQ(refusal_of(answer)->heads, 64);
  EXPECT_EQ(refusal_of(answer)->kv_heads, 8);
}

// Published refusals: 40, 52 on 3; 40, 52 on 6; 28 on 8; 32 on 5. 28 heads allow 1, 2, 4, 7, 14, 28 by the first rule;
// with 4 KV heads the second takes 7 and 14 away (4 % 7, 7 % 4).
TEST(TensorParallel, BothRulesDecideTheGroups) {
  ModelFootprint model = dense_model(2, 1e9);
  const auto groups = [&](int heads, int kv_heads, int up_to) {
    for (LayerFootprint& layer : model.layers) {
      layer.heads = heads;
      layer.kv_heads = kv_heads;
    }
    return allowed_groups(model, up_to);
  };
  EXPECT_EQ(groups(28, 28, 28), (std::vector{1, 2, 4, 7, 14, 28}));
  EXPECT_EQ(groups(28, 4, 28), (std::vector{1, 2, 4, 28}));
  EXPECT_EQ(groups(64, 8, 16), (std::vector{1, 2, 4, 8, 16}));
  EXPECT_EQ(groups(40, 8, 6), (std::vector{1, 2, 4}));
  EXPECT_EQ(groups(52, 4, 6), (std::vector{1, 2, 4}));
  EXPECT_EQ(groups(32, 8, 5), (std::vector{1, 2, 4}));
}

// 4,096 B a token of 8 KV heads: 1,024 on 4 devices, 512 on 8, still 512 on 16 (every head twice). Latent: never
// divided.
TEST(TensorParallel, KvIsDividedUntilOneHeadIsLeftAndLatentKvNever) {
  LayerFootprint layer = test::dense_layer(856e6, 4096);
  EXPECT_EQ(shard_layer(layer, 0, 4).kv_per_token, BytesPerToken(1024));
  EXPECT_EQ(shard_layer(layer, 0, 4).weights, Bytes(214e6));
  EXPECT_EQ(shard_layer(layer, 0, 8).kv_per_token, BytesPerToken(512));
  EXPECT_EQ(shard_layer(layer, 0, 16).kv_per_token, BytesPerToken(512));
  layer.attention = AttentionKind::latent;
  layer.kv_heads = 1;
  EXPECT_EQ(shard_layer(layer, 0, 16).kv_per_token, BytesPerToken(4096));
}

// Trunk of 1,000,001 B of which 2 x 100 x 2 = 400 are norms, 4 experts of 10 and a router of 4 x 100 x 2 = 800: a third
// of 1,000,001 - 1,200 is 332,933.7, up; experts 40 / 3 = 13.3, up.
TEST(TensorParallel, NormsAndRouterAreOnEveryShard) {
  const LayerFootprint layer = test::moe_layer(1000001, 4, 2, 10);
  EXPECT_EQ(shard_layer(layer, 100, 3).weights, Bytes(1200 + 332934 + 14));
}

// 128,257 rows pad to 128,320 (2,005 x 64); half of them is 64,160 rows of 2 bytes.
TEST(TensorParallel, VocabularyIsPadded) {
  ModelFootprint model = dense_model(1, 1e6);
  model.vocabulary = 128257;
  model.embedding = Bytes(128257.0 * 2);
  EXPECT_EQ(shard_model(model, 2).embedding, Bytes(64160.0 * 2));
}

TEST(TensorParallel, GroupsFollowEachOtherAsStages) {
  const std::vector<PlacementDevice> devices(4, device("a", 6e9));
  const PlacementAnswer answer = plan_tensor_parallel(dense_model(20, 1e9, 4096), kNothing, devices, 2);
  ASSERT_TRUE(fits(answer));
  const Placement& p = *placement_of(answer);
  EXPECT_EQ(p.kind, SplitKind::tensor_and_layers);
  ASSERT_EQ(p.stages.size(), 2u);
  EXPECT_EQ(p.stages[0].layer_count, 10);
  EXPECT_EQ(p.stages[1].devices, (std::vector{2, 3}));
  for (const DeviceMemory& memory : p.memory) EXPECT_EQ(memory.weights, Bytes(5e9));
}

TEST(TensorParallel, DevicesMustMakeWholeGroups) {
  const PlacementAnswer answer =
      plan_tensor_parallel(dense_model(2, 1e9), kNothing, std::vector(3, device("a", 6e9)), 2);
  ASSERT_FALSE(fits(answer));
  EXPECT_EQ(refusal_of(answer)->why, WhyNot::devices_do_not_divide);
}

}  // namespace
}  // namespace oblea
