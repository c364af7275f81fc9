#include "io/gguf/plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/gguf_models.hpp"

namespace oblea {
namespace {

using test::GgufWriter;
using test::read_model_of;
using test::ReadModel;
using testing::HasSubstr;

// 's' for a layer that slides, 'f' for one that keeps everything, '-' where it shares an earlier cache.
std::string kinds(const ReadModel& read) {
  std::string text;
  for (const Layer& layer : read.model.value().layers) {
    const bool slides = layer.attention.kind == AttentionKind::sliding;
    text += layer.attention.shares_kv ? '-' : slides ? 's' : 'f';
  }
  return text;
}

GgufWriter with_window(const std::string& architecture, std::uint32_t layers, std::uint32_t window) {
  GgufWriter w = test::small_keys(architecture);
  w.remove(".block_count").number(".block_count", layers);
  return window > 0 ? w.number(".attention.sliding_window", window) : w;
}

TEST(GgufPlan, APeriodCountsLayersThatSlideBeforeOneThatDoesNot) {
  const auto pattern = [](std::int64_t period, bool dense_first) {
    std::string text;
    for (int i = 0; i < 8; ++i) text += slides_in_pattern(i, period, dense_first) ? 's' : 'f';
    return text;
  };
  EXPECT_EQ(pattern(6, false), "sssssfss");
  EXPECT_EQ(pattern(4, true), "fsssfsss");
  EXPECT_EQ(pattern(2, false), "sfsfsfsf");
  EXPECT_EQ(pattern(1, false), "ffffffff");
  EXPECT_EQ(pattern(0, false), "ssssssss");
}

TEST(GgufPlan, FamiliesThatLeaveThePatternToTheEngineAreKnown) {
  EXPECT_EQ(kinds(read_model_of(with_window("gemma2", 6, 4096))), "sfsfsf");
  EXPECT_EQ(kinds(read_model_of(with_window("gemma3", 7, 1024))), "sssssfs");
  EXPECT_EQ(kinds(read_model_of(with_window("gpt-oss", 4, 128))), "sfsf");
  EXPECT_EQ(kinds(read_model_of(with_window("smallthinker", 5, 4096))), "fsssf");
  const ReadModel llama4 = read_model_of(with_window("llama4", 5, 0));
  EXPECT_EQ(kinds(llama4), "sssfs");
  EXPECT_EQ(llama4.attention(0).window, 8192);
}

TEST(GgufPlan, TheFilesOwnPatternWins) {
  GgufWriter listed = with_window("gemma3", 4, 512);
  listed.truths(".attention.sliding_window_pattern", {false, true, true, true});
  EXPECT_EQ(kinds(read_model_of(listed)), "fsss");
  GgufWriter repeated = with_window("newer", 6, 512);
  repeated.truths(".attention.sliding_window_pattern", {true, false, false});
  EXPECT_EQ(kinds(read_model_of(repeated)), "sffsff");
  GgufWriter period = with_window("newer", 6, 512);
  period.number(".attention.sliding_window_pattern", 3);
  EXPECT_EQ(kinds(read_model_of(period)), "ssfssf");
}

TEST(GgufPlan, AWindowWithoutAPatternIsTakenAsFullAndSaidSo) {
  const ReadModel read = read_model_of(with_window("llama", 3, 4096));
  EXPECT_EQ(kinds(read), "fff");
  EXPECT_THAT(read.warnings, HasSubstr("llama.attention.sliding_window gives a window, but not which layers slide"));
}

TEST(GgufPlan, AWindowThatIsOffIsNone) {
  for (const std::uint32_t off : {0u, 0xFFFFFFFFu}) {
    GgufWriter w = test::small_keys("gemma3");
    w.number(".attention.sliding_window", off);
    EXPECT_EQ(kinds(read_model_of(w)), "ff") << off;
  }
  GgufWriter w = test::small_keys("gemma3");
  w.raw(".attention.sliding_window", test::kI32, "\xff\xff\xff\xff");
  EXPECT_EQ(kinds(read_model_of(w)), "ff");
}

TEST(GgufPlan, LastLayersMayShareTheCacheOfEarlierOnes) {
  GgufWriter w = test::small_keys("gemma4");
  w.remove(".block_count").number(".block_count", 5).number(".attention.shared_kv_layers", 2);
  EXPECT_EQ(kinds(read_model_of(w)), "fff--");
  GgufWriter old = test::small_keys("gemma3n");
  old.remove(".block_count").number(".block_count", 22);
  EXPECT_EQ(kinds(read_model_of(old)), std::string(20, 'f') + "--");
}

TEST(GgufPlan, CountsMayBeOneNumberOrOneALayer) {
  GgufWriter w = test::small_keys();
  w.numbers(".attention.head_count_kv", {4, 2});
  EXPECT_EQ(read_model_of(w).attention(1).kv_heads, 2);
  EXPECT_EQ(read_model_of(test::small_keys(), {"llama.attention.head_count_kv=2"}).attention(1).kv_heads, 2);
  GgufWriter shorter = test::small_keys();
  shorter.numbers(".attention.head_count_kv", {4});
  EXPECT_THAT(read_model_of(shorter).faults, HasSubstr("llama.attention.head_count_kv has 1 values for 2 layers"));
}

}  // namespace
}  // namespace oblea
