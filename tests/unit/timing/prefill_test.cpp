#include "timing/prefill.hpp"

#include <gtest/gtest.h>

#include "unit/timing/timing_cases.hpp"

namespace oblea {
namespace {

Prediction prefill(PrefillCall call, EngineRun run = {}, ModelWork work = llama_8b()) {
  return prefill_time(work, call, make_device_rates(card_3090()), run, round_parameters());
}

// rate       1 / (1 / (284.7e12 x 0.25) + 1 / (350 W x 1e12))            = 59.15e12
// compute    2 x (7.505e9 - 0.525e9) x 512 / 59.15e12                     = 120.83 ms
// weights    (4.62e9 - 0.431e9) x 1.5 / 936.2e9                           = 6.71 ms
// launch     546 x 5 us                                                  = 2.73 ms
// attention  524,288 x 256 x 512 / (142.35e12 x 0.25)                     = 1.93 ms
// sum                                                                    = 132.2 ms = 3,873 tok/s
TEST(Prefill, RepeatsTheWorkedExampleOfTheReadme) {
  const Prediction p = prefill({.tokens = 512, .depth = 0});
  EXPECT_NEAR(p.value.value(), 132.2e-3, 0.1e-3);
  EXPECT_EQ(p.limit, TimingLimit::compute);
}

TEST(Prefill, AttentionGrowsWithTheSquareAndTheRestWithThePrompt) {
  const double one = prefill({.tokens = 512}).value.value();
  const double four = prefill({.tokens = 2048}).value.value();
  const double attention = 524288.0 * 256 * 512 / (142.35e12 * 0.25);
  EXPECT_NEAR(four, 4 * (one - attention) + 16 * attention, 1e-6);
}

TEST(Prefill, DepthCostsAttentionOnly) {
  const double shallow = prefill({.tokens = 512, .depth = 0}).value.value();
  const double deep = prefill({.tokens = 512, .depth = 1024}).value.value();
  EXPECT_NEAR(deep - shallow, 524288.0 * 1024 * 512 / (142.35e12 * 0.25), 1e-9);
}

TEST(Prefill, EarlyCudaUnpacksToSixteenBitFirst) {
  EngineRun early = early_cuda();
  early.flash_attention = true;
  // cuBLAS at half the int8 peak x 0.5 is the same 71.2e12, so the copy of 7 G weights alone is added: 2 x 6.98e9 x 1.5
  // B.
  const double more = prefill({.tokens = 512}, early).value.value() - prefill({.tokens = 512}).value.value();
  EXPECT_NEAR(more, 2 * 6.98e9 * 1.5 / 936.2e9, 1e-6);
}

TEST(Prefill, APromptShorterThanTheMicroBatchIsOneMicroBatch) {
  const double p = prefill({.tokens = 16}).value.value();
  EXPECT_GT(p, 6.71e-3 + 2.73e-3);
  EXPECT_LT(p, 16 * 1e-3);
}

}  // namespace
}  // namespace oblea
