#include "timing/decode.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "unit/timing/timing_cases.hpp"

namespace oblea {
namespace {

Prediction decode(const ModelWork& work, DecodeCall call, EngineRun run = early_cuda(),
                  TimingParameters parameters = round_parameters()) {
  return decode_step_time(work, call, make_device_rates(card_3090()), run, parameters);
}

// memory  4.62e9 / 936.2e9 x 1.1                   = 5.4283 ms
// unpack  7.505e9 / 10 / 138.98e9                  = 5.4000 ms
// blend   (5.4283^4 + 5.4000^4)^(1/4)              = 6.4386 ms
// launch  546 x 4 us                               = 2.1840 ms
// KV      256 x 131,072 / 936.2e9 x 1.1            = 0.0394 ms
// scores  256 x 524,288 / (138.98e9 x 10)          = 0.0966 ms
// sum                                              = 8.7586 ms = 114.2 tok/s
TEST(Decode, RepeatsTheWorkedExampleOfTheReadme) {
  const Prediction p = decode(llama_8b(), {.batch = 1, .context = 256});
  EXPECT_NEAR(p.value.value(), 8.7586e-3, 2e-6);
  EXPECT_EQ(p.limit, TimingLimit::memory_bandwidth);
}

TEST(Decode, BandIsTheErrorOfUnseenDevices) {
  const Prediction p = decode(llama_8b(), {.batch = 1, .context = 256});
  EXPECT_NEAR(p.low.value(), p.value.value() * std::exp(-0.1), 1e-12);
  EXPECT_NEAR(p.high.value(), p.value.value() * std::exp(0.2), 1e-12);
}

TEST(Decode, GrowsLinearlyWithTheContextUntilTheWindow) {
  ModelWork work = llama_8b();
  const double at_0 = decode(work, {.batch = 1, .context = 0}).value.value();
  const double at_1000 = decode(work, {.batch = 1, .context = 1000}).value.value();
  const double at_2000 = decode(work, {.batch = 1, .context = 2000}).value.value();
  EXPECT_NEAR(at_2000 - at_1000, at_1000 - at_0, 1e-12);
  work.attention[0].window = 1000;
  EXPECT_NEAR(decode(work, {.batch = 1, .context = 2000}).value.value(), at_1000, 1e-12);
}

TEST(Decode, IsNeverFasterThanTheBytesAllowWhateverTheParameters) {
  TimingParameters tiny = round_parameters();
  for (double& value : tiny.values) value = 1e-6;
  TimingParameters huge = round_parameters();
  for (double& value : huge.values) value = 1e6;
  huge[TimingParameter::launch] = 0;
  for (const TimingParameters& p : {tiny, huge}) {
    const double seconds = decode(llama_8b(), {.batch = 1, .context = 256}, early_cuda(), p).value.value();
    EXPECT_GE(seconds, (4.62e9 + 256 * 131072) / 936.2e9);
  }
}

TEST(Decode, ABatchReadsWeightsOnceAndKvForEverySequence) {
  const double one = decode(llama_8b(), {.batch = 1, .context = 4096}).value.value();
  const double two = decode(llama_8b(), {.batch = 2, .context = 4096}).value.value();
  EXPECT_LT(two, 1.6 * one);
  EXPECT_GT(two, one + 4096 * 131072 / 936.2e9);
}

TEST(Decode, ExpertsAreReadOnlyWhereATokenVisitsThem) {
  ModelWork work = llama_8b();
  work.experts = 128;
  work.active_experts = 8;
  work.expert[static_cast<std::size_t>(UnpackClass::k_quant)] = {0.1e9, 0.16e9};
  EXPECT_DOUBLE_EQ(distinct_experts_touched(work, 1), 8);
  EXPECT_DOUBLE_EQ(distinct_experts_touched(work, 2), 15.5);
  const double dense = decode(llama_8b(), {}).value.value();
  EXPECT_NEAR(decode(work, {}).value.value() - dense, 6.4386e-3 * 0.8 / 4.62, 0.03e-3);  // 8 x 0.1 GB more of 4.62
}

// Two-bit weights: 2.0e9 B / 936.2e9 x 1.1 = 2.350 ms; 7.505e9 / 139.0e9 = 54.0 ms at one weight a cycle. At 8 (the
// prior): 6.750 ms, under ROCm 8 x 0.6 x 0.6 = 2.88: 18.75 ms.
TEST(Decode, LookedUpWeightsAreUnpackedSlowlyUnderRocm) {
  ModelWork work;
  work.trunk[static_cast<std::size_t>(UnpackClass::codebook)] = {2.0e9, 7.505e9};
  EXPECT_NEAR(decode(work, {}).value.value(), 6.775e-3, 0.005e-3);  // blended with memory
  EngineRun rocm;
  rocm.backend = EngineBackend::rocm;
  const Prediction slow = decode(work, {}, rocm);
  EXPECT_NEAR(slow.value.value(), 18.75e-3, 0.01e-3);
  EXPECT_EQ(slow.limit, TimingLimit::unpacking);
}

// bandwidth 83.2 x 0.75 = 62.4 GB/s: 4.62e9 / 62.4e9 = 74.04 ms; 16 threads x 0.14 x 144 GFLOPS would take 14.3 ms, so
// memory rules and the fourth-power blend adds 0.04 %; 546 barriers of 10 us add 5.46 ms: 79.53 ms.
TEST(Decode, OnACpuMemoryOrThreadsSetThePace) {
  Device cpu = card_3090();
  cpu.kind = DeviceKind::cpu;
  cpu.architecture = "zen4";
  cpu.memory_bandwidth.value = BytesPerSecond(83.2e9);
  cpu.fp32->value = FlopsPerSecond(2.304e12);
  cpu.cores = Sourced<double>{16, {}};
  EngineRun run;
  run.backend = EngineBackend::cpu;
  const DeviceRates rates = make_device_rates(cpu);
  const TimingParameters prior = prior_timing_parameters();
  const Prediction all = decode_step_time(llama_8b(), {}, rates, run, prior);
  EXPECT_NEAR(all.value.value(), 79.53e-3, 0.05e-3);
  EXPECT_EQ(all.limit, TimingLimit::memory_bandwidth);
  run.threads = 2;  // 2 x 20.16 GB/s: 114.6 ms, blended with 74.0 to 119.3, and the barriers
  const Prediction two = decode_step_time(llama_8b(), {}, rates, run, prior);
  EXPECT_NEAR(two.value.value(), 124.74e-3, 0.05e-3);
  EXPECT_EQ(two.limit, TimingLimit::unpacking);
}

}  // namespace
}  // namespace oblea
