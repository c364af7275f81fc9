#include "placement/engine_memory.hpp"

#include <gtest/gtest.h>

#include "placement/llama_cpp_memory.hpp"
#include "unit/llm/library_models.hpp"

namespace oblea {
namespace {

EngineLoad load_of(const char* model, Engine engine = Engine::llama_cpp) {
  EngineLoad load;
  load.engine.kind = engine;
  load.shape = make_shape(test::library_model(model));
  return load;
}

// 16 + 12 GiB on two nodes: 2 x (552.7 + 216 + 8) MiB, and 42.5 MiB more beside the head: 1,595.9 MiB are not usable.
TEST(EngineMemory, LlamaCppLeaves26Point4Of28GiB) {
  const EngineLoad load = load_of("llama-3.3-70b");
  const Tokens context(8192);
  const Bytes usable =
      usable_memory({.capacity = kGiB * 16.0}, load, context) + usable_memory({.capacity = kGiB * 12.0}, load, context);
  const Bytes head = engine_buffers(load).head_extra(context);
  EXPECT_NEAR(head / kMiB, 42.5, 0.1);
  EXPECT_NEAR((usable - head) / kGiB, 28 - 1595.9 / 1024, 0.001);
}

TEST(EngineMemory, EveryPartOfACardHasANameAndTheyAddUp) {
  EngineLoad load = load_of("llama-3.1-8b", Engine::generic);
  load.engine.reserve = kMiB * 100.0;
  const EngineDevice card{.capacity = kGiB * 24.0};
  Bytes sum = engine_buffers(load).at(Tokens(8192), false);
  for (const EngineMemoryPart& part : engine_runtime(card, load)) {
    EXPECT_FALSE(part.name.empty());
    sum += part.bytes;
  }
  EXPECT_EQ(card.capacity - sum, usable_memory(card, load, Tokens(8192)));
  EXPECT_GT(sum, kGiB * 24.0 * 0.05);  // fragmentation alone
}

TEST(EngineMemory, BlackwellKeepsMoreThanOlderCards) {
  const EngineLoad load = load_of("llama-3.1-8b");
  const Bytes ada = usable_memory({.capacity = kGiB * 24.0, .architecture = "ada"}, load, Tokens(8192));
  const Bytes blackwell = usable_memory({.capacity = kGiB * 24.0, .architecture = "blackwell"}, load, Tokens(8192));
  EXPECT_NEAR((ada - blackwell) / kMiB, 749 - 552.7, 0.1);
}

TEST(EngineMemory, HostKeepsTwoGibibytesOrAnEighth) {
  EngineLoad load;  // no buffers without a model
  load.engine.kind = Engine::wafer;
  EXPECT_EQ(usable_memory({.capacity = kGiB * 64.0, .is_cpu = true}, load, Tokens(0)), kGiB * 62.0);
  EXPECT_EQ(usable_memory({.capacity = kGiB * 8.0, .is_cpu = true}, load, Tokens(0)), kGiB * 7.0);
}

TEST(EngineMemory, NothingIsLeftRatherThanLessThanNothingAndAWaferKeepsNothing) {
  EXPECT_EQ(usable_memory({.capacity = kMiB * 100.0}, load_of("llama-3.3-70b"), Tokens(8192)), Bytes(0));
  EXPECT_EQ(usable_memory({.capacity = kGB * 44.0}, load_of("llama-3.3-70b", Engine::wafer), Tokens(8192)), kGB * 44.0);
}

TEST(EngineMemory, CacheRulesAreTheEngines) {
  EngineSettings engine;
  EXPECT_EQ(cache_rules(engine).window_extra, Tokens(512));
  EXPECT_EQ(cache_rules(engine).block, Tokens(256));
  EXPECT_TRUE(cache_rules(engine).embedding_on_host);
  engine.whole_windows = true;
  EXPECT_FALSE(cache_rules(engine).respects_windows);
  engine = {};
  engine.kind = Engine::vllm;
  engine.block = 32;
  EXPECT_EQ(cache_rules(engine).block, Tokens(32));
  EXPECT_TRUE(cache_rules(engine).respects_windows);
  engine.version = "0.8.5";
  EXPECT_FALSE(cache_rules(engine).respects_windows);
  engine.kind = Engine::wafer;
  EXPECT_EQ(cache_rules(engine).block, Tokens(1));
}

}  // namespace
}  // namespace oblea
