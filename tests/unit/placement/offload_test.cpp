#include "placement/offload.hpp"

#include <gtest/gtest.h>

#include "unit/placement/footprints.hpp"

namespace oblea {
namespace {

using test::dense_model;
using test::device;
using test::host;

constexpr CacheDemand kNothing{Tokens(0), 1, {}};

// 11 GB hold 22 layers of 0.5 GB; the first 58 stay on the host, 29 GB.
TEST(Offload, FirstLayersStayOnTheHost) {
  const std::vector<PlacementDevice> devices{device("gpu", 11e9), host(64e9)};
  const PlacementAnswer answer = plan_layer_offload(dense_model(80, 0.5e9), kNothing, devices);
  ASSERT_TRUE(fits(answer));
  const Placement& p = *placement_of(answer);
  EXPECT_EQ(layers_on_gpus(p, devices), 22);
  EXPECT_EQ(p.memory[1].weights, Bytes(29e9));
  EXPECT_EQ(p.stages[0].devices[0], 1);
  EXPECT_TRUE(p.stages[0].holds_embedding);
  EXPECT_TRUE(p.stages[1].holds_head);
  EXPECT_DOUBLE_EQ(p.slowest_stage.value(), 290);  // 29e9 B x 10 ns
}

TEST(Offload, HostStaysEmptyWhereEverythingFits) {
  const std::vector<PlacementDevice> devices{device("gpu", 50e9), host(64e9)};
  const PlacementAnswer answer = plan_layer_offload(dense_model(80, 0.5e9), kNothing, devices);
  ASSERT_TRUE(fits(answer));
  EXPECT_EQ(layers_on_gpus(*placement_of(answer), devices), 80);
  EXPECT_EQ(placement_of(answer)->memory[1].weights, Bytes(0));
}

TEST(Offload, EverythingOnTheHostWhereNothingFitsTheGpu) {
  const std::vector<PlacementDevice> devices{host(64e9), device("gpu", 0.4e9)};
  const PlacementAnswer answer = plan_layer_offload(dense_model(80, 0.5e9), kNothing, devices);
  ASSERT_TRUE(fits(answer));
  EXPECT_EQ(layers_on_gpus(*placement_of(answer), devices), 0);
  EXPECT_TRUE(placement_of(answer)->stages[0].holds_head);
}

// 29 GB for a host of 28.
TEST(Offload, HostMemoryIsChecked) {
  const std::vector<PlacementDevice> devices{device("gpu", 11e9), host(28e9)};
  const PlacementAnswer answer = plan_layer_offload(dense_model(80, 0.5e9), kNothing, devices);
  ASSERT_FALSE(fits(answer));
  EXPECT_EQ(refusal_of(answer)->why, WhyNot::host_memory_exceeded);
  EXPECT_EQ(refusal_of(answer)->tightest_device, 1);
  EXPECT_EQ(refusal_of(answer)->tightest_missing, Bytes(1e9));
}

ModelFootprint mixture_of_experts() {
  ModelFootprint model;
  model.layers.assign(48, test::moe_layer(0.02e9, 128, 8, 3e6));
  return model;
}

// 48 x 0.02 = 0.96 GB of trunk; (8 - 0.96) / 0.384 = 18.3: 18 layers keep their experts, 30 do not: 11.52 GB on the
// host.
TEST(Offload, ExpertsOfTheFirstLayersGoToTheHost) {
  const ModelFootprint model = mixture_of_experts();
  const std::vector<PlacementDevice> devices{device("gpu", 8e9), host(32e9)};
  const PlacementAnswer answer = plan_expert_offload(model, kNothing, devices);
  ASSERT_TRUE(fits(answer));
  const Placement& p = *placement_of(answer);
  EXPECT_EQ(p.host_expert_layers, 30);
  EXPECT_EQ(p.expert_device, 1);
  EXPECT_NEAR(p.memory[1].weights.value(), 11.52e9, 1);
  EXPECT_NEAR(p.memory[0].weights.value(), 0.96e9 + 18 * 0.384e9, 1);
  EXPECT_EQ(layers_on_gpus(p, devices), 48);
  EXPECT_EQ(experts_on_gpus(p, model, devices), 18 * 128);
  // GPU 0.96 GB + 18 x 8 x 3 MB at 1 ns/B; host 30 x 8 x 3 MB at 10 ns/B: 1.392 + 7.2 s.
  EXPECT_NEAR(p.slowest_stage.value(), 8.592, 1e-9);
}

TEST(Offload, ExpertsNeedHostMemoryAndTheTrunkNeedsTheGpu) {
  const ModelFootprint model = mixture_of_experts();
  const PlacementAnswer small_host = plan_expert_offload(model, kNothing, std::vector{device("gpu", 8e9), host(11e9)});
  ASSERT_FALSE(fits(small_host));
  EXPECT_EQ(refusal_of(small_host)->why, WhyNot::host_memory_exceeded);
  const PlacementAnswer small_gpu = plan_expert_offload(model, kNothing, std::vector{device("gpu", 0.9e9), host(99e9)});
  ASSERT_FALSE(fits(small_gpu));
  EXPECT_EQ(refusal_of(small_gpu)->why, WhyNot::weights_exceed_memory);
}

}  // namespace
}  // namespace oblea
