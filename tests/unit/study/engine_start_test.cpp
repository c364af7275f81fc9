#include "study/engine_start.hpp"

#include <gtest/gtest.h>

namespace oblea {
namespace {

// 59 s and 205 s in public logs of vLLM; a llama.cpp that is ready in 0.6 s.
TEST(EngineStart, HoldsWhatPublicLogsSay) {
  EngineSettings engine;
  engine.kind = Engine::vllm;
  const Banded<Seconds> vllm = engine_start(engine);
  EXPECT_LE(vllm.low, Seconds(59));
  EXPECT_GE(vllm.high, Seconds(205));
  engine.kind = Engine::llama_cpp;
  EXPECT_LE(engine_start(engine).low, Seconds(0.6));
}

TEST(EngineStart, WithoutGraphsItIsShorter) {
  EngineSettings with, without;
  with.kind = without.kind = Engine::vllm;
  without.cuda_graphs = false;
  EXPECT_LT(engine_start(without).value, engine_start(with).value);
}

TEST(EngineStart, ValuesLieInTheirBands) {
  for (const Engine kind : {Engine::llama_cpp, Engine::vllm, Engine::generic, Engine::wafer}) {
    EngineSettings engine;
    engine.kind = kind;
    const Banded<Seconds> start = engine_start(engine);
    EXPECT_GT(start.low, Seconds(0));
    EXPECT_LE(start.low, start.value);
    EXPECT_LE(start.value, start.high);
  }
}

}  // namespace
}  // namespace oblea
