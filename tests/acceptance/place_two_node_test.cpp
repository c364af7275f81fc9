// `oblea place scenarios/homelab/two-node-10gbe.json`: 16 GiB + 12 GiB over 10 GbE, and what a guide promises of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/repository.hpp"

namespace oblea {
namespace {

using test::find_option;
using test::place_repository;
using test::value_of;
using ::testing::HasSubstr;

const char* kScenario = "scenarios/homelab/two-node-10gbe.json";

const Report& report() {
  static const Report placed = place_repository(kScenario);
  return placed;
}

// Q4_K_M of a 70B is 42.5 GB = 39.6 GiB; 16 + 12 GiB are installed; 0.8 GiB a card are the engine's, 26.4 remain.
TEST(PlaceTwoNode, SeventyBillionAtFourBitsDoesNotFitAndTheAnswerHasTheArithmetic) {
  const Verdict* no = test::find_verdict(report().verdicts, "does-not-fit");
  ASSERT_NE(no, nullptr);
  EXPECT_EQ(no->answer, Answer::no);
  EXPECT_THAT(no->words, HasSubstr("39.6 GiB of weights"));
  EXPECT_THAT(no->words, HasSubstr("28.0 GiB installed"));
  EXPECT_THAT(no->words, HasSubstr("26.4 GiB usable"));
  EXPECT_THAT(no->words, HasSubstr("13.2 GiB short"));  // 39.6 - 26.4
  EXPECT_EQ(value_of(report().metrics, "fits"), 0);
  EXPECT_NEAR(value_of(report().metrics, "weights_gib"), 39.6, 0.1);
  EXPECT_DOUBLE_EQ(value_of(report().metrics, "installed_memory_gib"), 28);
  EXPECT_NEAR(value_of(report().metrics, "usable_memory_gib"), 26.4, 0.05);
  EXPECT_TRUE(report().placement.empty()) << "nothing is placed";
}

// 80 layers x 2 x 8 heads x 128 x 2 B = 327,680 B a token; 8,192 of them are 2.5 GiB.
TEST(PlaceTwoNode, EightThousandTokensTakeTwoAndAHalfGib) {
  EXPECT_DOUBLE_EQ(value_of(report().metrics, "kv_gib"), 327680.0 * 8192 / (1024.0 * 1024 * 1024));
}

// Shards are equal: 2 x 12 GiB, not 28.
TEST(PlaceTwoNode, TensorParallelCountsTheSmallerCardTwice) {
  EXPECT_DOUBLE_EQ(value_of(report().metrics, "tensor_parallel_memory_gib"), 24);
  const OptionRow* row = find_option(report(), "Q4_K_M, tensor parallel over 2");
  ASSERT_NE(row, nullptr);
  EXPECT_FALSE(row->fits);
  EXPECT_THAT(row->words, HasSubstr("2 x 12.0 GiB"));
}

// Whole layers have to go to one card or the other, so a little less than (26.4 - 22.1) GiB / 327,680 B = 14.1k: 22.5
// GiB of weights, of which 0.33 are the embedding, which llama.cpp keeps in host memory.
TEST(PlaceTwoNode, ListsTheQuantisationsAndContextsThatDoFitWithALayerSplit) {
  const OptionRow* iq2 = find_option(report(), "IQ2_M, layer split");
  ASSERT_NE(iq2, nullptr);
  EXPECT_TRUE(iq2->fits);
  EXPECT_GE(iq2->tokens, 13000);
  EXPECT_LE(iq2->tokens, 14400);
  const OptionRow* q2 = find_option(report(), "Q2_K, layer split");
  ASSERT_NE(q2, nullptr);
  EXPECT_TRUE(q2->fits);
  EXPECT_GE(q2->tokens, 6200);
  EXPECT_LE(q2->tokens, 7200);
  const OptionRow* iq3 = find_option(report(), "IQ3_XXS, layer split");
  ASSERT_NE(iq3, nullptr);
  EXPECT_NEAR(iq3->tokens, 3600, 400);
}

TEST(PlaceTwoNode, NoQuantisationThatIsListedAsFittingExceedsWhatIsUsable) {
  for (const OptionRow& row : report().options) {
    if (row.fits && row.name.ends_with("layer split")) {
      const Report alone =
          place_repository(kScenario, {{"model.quantisation", row.name.substr(0, row.name.find(',')), "test"},
                                       {"workload.context", std::to_string(static_cast<int>(row.tokens)), "test"}});
      EXPECT_EQ(value_of(alone.metrics, "fits"), 1) << row.name;
      EXPECT_LT(value_of(alone.metrics, "weights_gib"), 26.4) << row.name;
    }
  }
}

// One token more than the best context is one too many.
TEST(PlaceTwoNode, TheContextListedIsTheLargest) {
  const int tokens = static_cast<int>(find_option(report(), "IQ2_M, layer split")->tokens) + 1;
  const Report more = place_repository(
      kScenario, {{"model.quantisation", "IQ2_M", "test"}, {"workload.context", std::to_string(tokens), "test"}});
  EXPECT_EQ(value_of(more.metrics, "fits"), 0);
}

struct Refused {
  const char* model;
  const char* mixture;
  double weights_gib;
};

// Files of 45.2 GB and 47.4 GB: 42.1 and 44.2 GiB; of 141 GB: 131.4 GiB.
TEST(PlaceTwoNode, TheOtherModelsOfTheGuideDoNotFitEither) {
  for (const Refused& r :
       {Refused{"mistral-large-2411-123b", "Q2_K", 42.1}, Refused{"qwen2.5-72b", "Q4_K_M", 44.1},
        Refused{"llama-3.3-70b", "BF16", 131.4}, Refused{"mistral-large-2411-123b", "IQ2_XXS", 30.2}}) {
    const Report no =
        place_repository(kScenario, {{"model.id", r.model, "test"}, {"model.quantisation", r.mixture, "test"}});
    EXPECT_EQ(value_of(no.metrics, "fits"), 0) << r.model;
    EXPECT_NEAR(value_of(no.metrics, "weights_gib"), r.weights_gib, 0.01 * r.weights_gib) << r.model;
    const Verdict* verdict = test::find_verdict(no.verdicts, "does-not-fit");
    ASSERT_NE(verdict, nullptr) << r.model;
    EXPECT_THAT(verdict->words, HasSubstr("GiB of weights against 26.")) << r.model;
    EXPECT_THAT(verdict->words, HasSubstr("short")) << r.model;
  }
}

// 64 heads over 3 cards: vLLM asserts, and so do we.
TEST(PlaceTwoNode, ThreeCardsMakeNoTensorParallelGroupOfA70B) {
  const Report three =
      place_repository("scenarios/immersion/four-3090.json",
                       {{"cluster.nodes.0.devices", R"(["rtx-3090", "rtx-3090", "rtx-3090"])", "test"}});
  const OptionRow* row = find_option(three, "Q4_K_M, tensor parallel over 3");
  ASSERT_NE(row, nullptr);
  EXPECT_FALSE(row->fits);
  EXPECT_THAT(row->words, HasSubstr("heads do not divide over 3"));
}

}  // namespace
}  // namespace oblea
