#include "placement/vllm_memory.hpp"

#include <gtest/gtest.h>

#include "placement/engine_memory.hpp"
#include "unit/llm/library_models.hpp"

namespace oblea {
namespace {

EngineLoad vllm_of(const char* model, const char* version) {
  EngineLoad load;
  load.engine.kind = Engine::vllm;
  load.engine.version = version;
  load.shape = make_shape(test::library_model(model));
  return load;
}

// Llama 3.1 8B, 20,000 tokens at once: 20,000 x 2 x (3 x 14,336 + 4 x 4,096) B = 2.21 GiB; the sampler's 256 x 128,256
// x 40 B = 1.22 GiB come after it.
TEST(VllmMemory, AWholePromptTakesActivationsOfEveryToken) {
  const EngineBuffers buffers = vllm_buffers(vllm_of("llama-3.1-8b", "0.6.4"));
  EXPECT_NEAR(buffers.at(Tokens(20000), true) / kGiB, 2.213, 0.005);
  EXPECT_NEAR(buffers.at(Tokens(8192), true) / kGiB, 1.22, 0.01);  // the sampler rules
}

// Above 32,768 tokens prompts were read in pieces: 512 tokens, 57 MiB.
TEST(VllmMemory, ALongerContextMayTakeLess) {
  const EngineBuffers buffers = vllm_buffers(vllm_of("llama-3.1-8b", "0.6.4"));
  EXPECT_GT(buffers.at(Tokens(29000), false), kGiB * 3.0);
  EXPECT_LT(buffers.at(Tokens(35000), false), kMiB * 64.0);
}

// vLLM 0.10 of a 1B: "torch peak memory increase: 0.45GiB"; 256 x 128,256 x 14 B = 0.43 GiB.
TEST(VllmMemory, TheSamplerRulesSmallModels) {
  EXPECT_NEAR(vllm_buffers(vllm_of("llama-3.2-1b", "0.10.0")).at(Tokens(131072), true) / kGiB, 0.44, 0.02);
}

TEST(VllmMemory, CollectivesCostMoreInLargerGroups) {
  EngineLoad load = vllm_of("llama-3.3-70b", "0.10.2");
  const EngineDevice card{.capacity = kGiB * 24.0};
  const auto runtime = [&] {
    Bytes sum;
    for (const EngineMemoryPart& part : engine_runtime(card, load)) sum += part.bytes;
    return sum;
  };
  const Bytes alone = runtime();
  load.group = 2;
  EXPECT_NEAR((runtime() - alone) / kMiB, 342, 1e-6);
  load.group = 4;
  EXPECT_NEAR((runtime() - alone) / kMiB, 392, 1e-6);
}

TEST(VllmMemory, GraphsAreChargedToTheFractionSinceRelease21) {
  EngineLoad load = vllm_of("llama-3.1-8b", "0.20.0");
  const std::size_t before = vllm_runtime(kGiB * 24, load).size();
  load.engine.version = "0.21.0";
  EXPECT_EQ(vllm_runtime(kGiB * 24, load).size(), before + 1);
  load.engine.cuda_graphs = false;
  EXPECT_EQ(vllm_runtime(kGiB * 24, load).size(), before);
}

}  // namespace
}  // namespace oblea
