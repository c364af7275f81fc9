#include "placement/engine_memory.hpp"

#include <gtest/gtest.h>

namespace oblea {
namespace {

EngineMemoryQuery llama_70b() {
  EngineMemoryQuery query;
  query.hidden = 8192;
  query.vocabulary = 128256;
  return query;
}

// 552.7 + 512 x 128,256 x 4 B = 250.5 MiB + 512 x 8,192 x 4 B = 16 MiB: 819.2 MiB = 0.8 GiB a card.
TEST(EngineMemory, LlamaCppLeaves26Point4Of28GiB) {
  const EngineMemoryQuery query = llama_70b();
  EXPECT_NEAR(usable_memory(kGiB * 16.0, query) / kGiB, 15.2, 1e-6);
  EXPECT_NEAR((usable_memory(kGiB * 16.0, query) + usable_memory(kGiB * 12.0, query)) / kGiB, 26.4, 1e-6);
}

// llama.cpp prints "CUDA0 compute buffer size = 258.50 MiB" for Llama 3 8B at a micro-batch of 512.
TEST(EngineMemory, LlamaCppBuffersAreWhatItPrints) {
  EngineMemoryQuery query = llama_70b();
  query.hidden = 4096;
  const std::vector<EngineMemoryPart> parts = engine_memory(kGiB * 24.0, query);
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(parts[1].bytes + parts[2].bytes, kMiB * 258.5);
}

// Llama 3.1 8B in bf16 on a 3090 of 23.58 GiB, 14.9888 GB of weights. vLLM reported 3.81 GiB of KV with 20,000 tokens
// in one pass, 2.89 GiB with 29,000.
TEST(EngineMemory, VllmLeavesTheKvThatItReported) {
  EngineMemoryQuery query = llama_70b();
  query.engine = Engine::vllm;
  query.hidden = 4096;
  const double weights_gib = 14.9888e9 / kGiB.value();
  query.micro_batch = 20000;
  EXPECT_NEAR(usable_memory(kGiB * 23.58, query) / kGiB - weights_gib, 3.81, 0.16);
  query.micro_batch = 29000;
  EXPECT_NEAR(usable_memory(kGiB * 23.58, query) / kGiB - weights_gib, 2.89, 0.16);
}

TEST(EngineMemory, CollectivesCostMoreInLargerGroups) {
  EngineMemoryQuery query = llama_70b();
  query.engine = Engine::vllm;
  const Bytes alone = usable_memory(kGiB * 24.0, query);
  query.group = 2;
  EXPECT_NEAR((alone - usable_memory(kGiB * 24.0, query)) / kMiB, 342, 1e-6);
  query.group = 4;
  EXPECT_NEAR((alone - usable_memory(kGiB * 24.0, query)) / kMiB, 392, 1e-6);
}

TEST(EngineMemory, HostKeepsTwoGibibytesOrAnEighth) {
  EngineMemoryQuery query;  // no buffers without a model
  query.is_cpu = true;
  EXPECT_EQ(usable_memory(kGiB * 64.0, query), kGiB * 62.0);
  EXPECT_EQ(usable_memory(kGiB * 8.0, query), kGiB * 7.0);
}

TEST(EngineMemory, WaferKeepsNothingAndNothingGoesBelowZero) {
  EngineMemoryQuery query = llama_70b();
  EXPECT_EQ(usable_memory(kMiB * 100.0, query), Bytes(0));
  query.engine = Engine::wafer;
  EXPECT_EQ(usable_memory(kGB * 44.0, query), kGB * 44.0);
}

TEST(EngineMemory, EngineDecidesHowKvIsKept) {
  EXPECT_EQ(cache_rules(Engine::llama_cpp, 512).window_extra, Tokens(512));
  EXPECT_EQ(cache_rules(Engine::vllm, 2048).block, Tokens(16));
  EXPECT_EQ(cache_rules(Engine::wafer, 1).block, Tokens(1));
}

}  // namespace
}  // namespace oblea
