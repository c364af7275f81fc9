#include "placement/llama_cpp_memory.hpp"

#include <gtest/gtest.h>

#include "unit/llm/library_models.hpp"

namespace oblea {
namespace {

struct Case {
  const char* model;
  double context;
  bool fused;
  int pipeline;
  double head_mib;    // on the device with the head
  double middle_mib;  // on one between; 0: not read
  double host_mib;
};

// What llama.cpp 0.5.0 prints when it reserves its graph (October 2026; a device that allocates nothing).
TEST(LlamaCppMemory, BuffersAreWhatItReserves) {
  const Case cases[] = {
      {"llama-3.1-8b", 8192, true, 1, 258.50, 0, 24.01},       {"llama-3.1-8b", 8192, true, 3, 354.55, 204.04, 48.05},
      {"llama-3.1-8b", 8192, false, 1, 564.01, 0, 36.01},      {"llama-3.1-8b", 8192, false, 3, 688.03, 688.02, 96.04},
      {"llama-3.1-8b", 5000, false, 1, 366.01, 0, 30.01},      {"llama-3.3-70b", 8192, true, 1, 266.50, 0, 40.01},
      {"llama-3.3-70b", 8192, true, 2, 426.55, 0, 64.05},      {"llama-3.3-70b", 8192, false, 1, 1108.01, 0, 52.01},
      {"llama-2-7b", 8192, true, 2, 184.55, 0, 48.05},         {"llama-2-7b", 8192, false, 1, 576.01, 0, 48.01},
      {"qwen3-32b", 8192, true, 3, 418.80, 298.04, 52.05},     {"qwen3-32b", 8192, false, 3, 1236.03, 1236.02, 100.04},
      {"qwen3-30b-a3b", 8192, true, 3, 364.80, 148.04, 40.05}, {"qwen3-30b-a3b", 8192, false, 1, 554.01, 0, 26.01},
      {"qwen3-235b-a22b", 8192, true, 2, 400.80, 0, 48.05},    {"gemma-3-27b", 8192, true, 3, 644.58, 277.07, 59.09},
      {"gemma-3-27b", 8192, false, 3, 773.05, 773.04, 161.05}, {"mixtral-8x7b", 8192, true, 1, 200.01, 0, 24.01},
  };
  for (const Case& c : cases) {
    EngineLoad load;
    load.shape = make_shape(test::library_model(c.model));
    load.engine.flash_attention = c.fused;
    load.pipeline = c.pipeline;
    const EngineBuffers buffers = llama_cpp_buffers(load);
    EXPECT_NEAR(buffers.at(Tokens(c.context), true) / kMiB, c.head_mib, 0.2) << c.model << " " << c.fused;
    if (c.middle_mib > 0) {
      EXPECT_NEAR(buffers.at(Tokens(c.context), false) / kMiB, c.middle_mib, 0.2) << c.model;
    }
    EXPECT_NEAR(llama_cpp_host_buffer(load, Tokens(c.context)) / kMiB, c.host_mib, 0.3) << c.model;
  }
}

// A server of June 2026 reserves one row of logits a slot: 116.01 MiB for Llama 3 8B instead of 258.50.
TEST(LlamaCppMemory, ANewServerReservesOneRowOfLogitsASlot) {
  EngineLoad load;
  load.shape = make_shape(test::library_model("llama-3.1-8b"));
  load.engine.all_logits = false;
  EXPECT_NEAR(llama_cpp_buffers(load).at(Tokens(8192), true) / kMiB, 116.01, 0.2);
  load.engine.version = "b9272";  // of May 2026
  EXPECT_NEAR(llama_cpp_buffers(load).at(Tokens(8192), true) / kMiB, 258.50, 0.2);
}

// Four slots of 4,096 tokens: one mask of 4,096 x 512 x 2 B = 4 MiB, or of 16 MiB where they share a cache.
TEST(LlamaCppMemory, SlotsThatShareACacheShareAMaskOverAllOfIt) {
  EngineLoad load;
  load.shape = make_shape(test::library_model("llama-3.1-8b"));
  load.requests = 4;
  EXPECT_NEAR(llama_cpp_host_buffer(load, Tokens(4096)) / kMiB, 20.01, 0.1);
  load.engine.shared_cache = true;
  EXPECT_NEAR(llama_cpp_host_buffer(load, Tokens(4096)) / kMiB, 32.01, 0.1);
  EXPECT_NEAR(llama_cpp_buffers(load).per_request(Tokens(4096)) / kMiB, 4, 1e-9);
}

// 2 x 1,024 elements x 2 B x 32,768 tokens = 128 MiB.
TEST(LlamaCppMemory, AQuantisedCacheIsUnpackedForPrefill) {
  EngineLoad load;
  load.shape = make_shape(test::library_model("llama-3.3-70b"));
  EXPECT_EQ(unpacked_cache(load), BytesPerToken(0));
  const Bytes plain = llama_cpp_buffers(load).at(Tokens(32768), false);
  load.cache = {KvFormat::q8_0, KvFormat::q4_0};
  EXPECT_EQ(unpacked_cache(load) * Tokens(32768), kMiB * 128.0);
  EXPECT_EQ(llama_cpp_buffers(load).at(Tokens(32768), false) - plain, kMiB * 128.0);
}

// MLA and recurrent hybrids are not exact: never low by more than 3 MiB, high by at most a tenth.
TEST(LlamaCppMemory, LatentAndRecurrentModelsAreOnTheSafeSide) {
  const struct {
    const char* model;
    bool fused;
    double mib;
  } cases[] = {{"deepseek-v2-lite", true, 84.13},
               {"deepseek-v3", true, 386.01},
               {"deepseek-v3", false, 2442.01},
               {"qwen3.5-35b-a3b", true, 76.02},
               {"qwen3.5-27b", true, 130.02}};
  for (const auto& c : cases) {
    EngineLoad load;
    load.shape = make_shape(test::library_model(c.model));
    load.engine.flash_attention = c.fused;
    load.engine.all_logits = false;
    const double mib = llama_cpp_buffers(load).at(Tokens(8192), true) / kMiB;
    EXPECT_GT(mib, c.mib - 3) << c.model;
    EXPECT_LT(mib, c.mib * 1.1 + 5) << c.model;
  }
}

}  // namespace
}  // namespace oblea
