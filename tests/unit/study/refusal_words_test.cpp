#include "study/refusal_words.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace oblea {
namespace {

// The two cards of the 70B: 39.6 + 2.5 GiB against 15.2 + 11.2.
DoesNotFit weights_refusal() {
  DoesNotFit no;
  no.why = WhyNot::weights_exceed_memory;
  no.weights = kGiB * 39.6;
  no.kv = kGiB * 2.5;
  no.required = kGiB * 42.1;
  no.usable = kGiB * 26.4;
  no.missing = kGiB * 15.7;
  no.tightest_device = 1;
  no.tightest_missing = kGiB * 8;
  return no;
}

std::vector<PlacementDevice> cards() {
  return {{"large", kGiB * 16, kGiB * 15.2, 1, 0, false},
          {"small", kGiB * 12, kGiB * 11.2, 1, 1, false},
          {"host", kGiB * 64, kGiB * 62, 1, 0, true}};
}

ModelSpec model() {
  ModelSpec spec;
  spec.name = "Llama 3.3 70B";
  return spec;
}

TEST(RefusalWords, TheShortFormIsOneComparison) {
  EXPECT_EQ(refusal_short(weights_refusal()), "39.6 GiB of weights against 26.4 GiB usable");
}

// 39.6 - 26.4 = 13.2 GiB for the weights alone; the host's RAM is not installed memory of cards.
TEST(RefusalWords, TheLongFormHasEveryNumber) {
  EXPECT_EQ(refusal_words(weights_refusal(), cards(), model(), "Q4_K_M"),
            "Llama 3.3 70B at Q4_K_M: 39.6 GiB of weights against 26.4 GiB usable (28.0 GiB installed): 13.2 GiB "
            "short, 15.7 GiB with 2.50 GiB of "
            "KV and state; in the best split small lacks 8.00 GiB");
}

TEST(RefusalWords, WhereWeightsFitTheCacheIsNamed) {
  DoesNotFit no = weights_refusal();
  no.why = WhyNot::cache_exceeds_memory;
  no.weights = kGiB * 20;
  no.kv = kGiB * 8;
  no.state = kGiB * 1;
  EXPECT_EQ(refusal_short(no), "20.0 GiB of weights + 8.00 GiB of KV + 1.00 GiB of state against 26.4 GiB usable");
}

TEST(RefusalWords, EveryReasonHasWords) {
  DoesNotFit no;
  no.heads = 64;
  no.kv_heads = 8;
  no.group = 3;
  no.layer = 7;
  no.weights = kGiB;
  no.usable = kGiB * 2;
  for (const auto& [why, part] : {std::pair{WhyNot::no_devices, "no devices"},
                                  {WhyNot::layers_do_not_divide, "no cut between layers"},
                                  {WhyNot::heads_do_not_divide, "64 heads do not divide over 3"},
                                  {WhyNot::kv_heads_do_not_divide, "8 KV heads do not divide over 3"},
                                  {WhyNot::devices_do_not_divide, "groups of 3"},
                                  {WhyNot::host_memory_exceeded, "of host memory"},
                                  {WhyNot::layer_exceeds_wafer, "layer 7 is larger"}}) {
    no.why = why;
    EXPECT_NE(refusal_short(no).find(part), std::string::npos) << refusal_short(no);
    EXPECT_FALSE(refusal_words(no, cards(), model(), "Q4_K_M").empty());
  }
}

}  // namespace
}  // namespace oblea
