#include "placement/layer_loads.hpp"

#include <gtest/gtest.h>

#include "unit/placement/footprints.hpp"

namespace oblea {
namespace {

using test::dense_model;

TEST(LayerLoads, SumsWeightsKvAndStateOfTheRequestsAskedFor) {
  ModelFootprint model = dense_model(4, 100, 10);
  model.layers[2].kv_per_token = BytesPerToken(0);
  model.layers[2].state_per_request = Bytes(7);
  const LayerLoads loads(model, {Tokens(5), 2, {}});
  EXPECT_EQ(loads.memory()[4], 4 * 100 + 2 * 3 * 5 * 10 + 2 * 7);  // 714
  EXPECT_EQ(loads.weights(1, 3), Bytes(200));
  EXPECT_EQ(loads.kv(1, 3, Tokens(5)), Bytes(50));
  EXPECT_EQ(loads.state(1, 3), Bytes(7));
  EXPECT_EQ(loads.kv_per_token(0, 4), BytesPerToken(30));
}

TEST(LayerLoads, EmbeddingCountsWithTheFirstLayerAndHeadWithTheLast) {
  ModelFootprint model = dense_model(3, 100);
  model.embedding = Bytes(30);
  model.extra = Bytes(5);
  model.head = Bytes(40);
  model.head_read.add(TensorFormat::q6_k, 40);
  const LayerLoads loads(model, {Tokens(0), 1, {}});
  EXPECT_EQ(loads.memory()[1], 135);
  EXPECT_EQ(loads.memory()[3] - loads.memory()[2], 140);
  EXPECT_EQ(loads.read()[1], 100);  // one row of the embedding is read: nothing
  EXPECT_EQ(loads.read()[3], 340);
  EXPECT_EQ(loads.tied_copy(), 0);
}

// Gemma 3 4B in llama.cpp: 29 layers x 4,096 B x (1,024 + 512) tokens = 174 MiB whatever the context.
TEST(LayerLoads, LlamaCppKeepsTheWindowAndOneMicroBatch) {
  ModelFootprint model = dense_model(29, 100, 4096);
  for (LayerFootprint& layer : model.layers) layer.window = 1024;
  CacheDemand demand{Tokens(131072), 1, {}};
  demand.rules.window_extra = Tokens(512);
  EXPECT_EQ(LayerLoads(model, demand).kv(0, 29, demand.context), kMiB * 174.0);
  demand.rules.respects_windows = false;
  EXPECT_EQ(LayerLoads(model, demand).kv(0, 29, demand.context), Bytes(29.0 * 4096 * 131072));
}

TEST(LayerLoads, ContextsRoundUpToWholeBlocks) {
  CacheDemand demand{Tokens(17), 1, {}};
  demand.rules.block = Tokens(16);
  EXPECT_EQ(LayerLoads(dense_model(1, 100, 10), demand).kv(0, 1, Tokens(17)), Bytes(320));
}

// 128 experts, 8 active, 2 requests: 15.5 distinct experts of 3 bytes are read, and the trunk once.
TEST(LayerLoads, ReadsTheExpertsThatTheRequestsTouch) {
  ModelFootprint model;
  model.layers.push_back(test::moe_layer(100, 128, 8, 3));
  const LayerLoads loads(model, {Tokens(0), 2, {}});
  EXPECT_DOUBLE_EQ(loads.read()[1], 100 + 3 * 15.5);
  EXPECT_EQ(loads.memory()[1], 100 + 3 * 128);
}

}  // namespace
}  // namespace oblea
