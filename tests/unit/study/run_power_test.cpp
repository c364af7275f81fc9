#include "study/run_power.hpp"

#include <gtest/gtest.h>

#include "engine/run_engine.hpp"
#include "power/device_power.hpp"
#include "study/planned_part.hpp"
#include "support/repository.hpp"

namespace oblea {
namespace {

PlannedPart office() {
  return plan_part(test::repository_scenario("scenarios/homelab/serve-four-users.json"), test::repository_library(),
                   test::repository_timing(), {})
      .value();
}

// One answer of 401 tokens, then nobody until the second at 100 s: times add up to the run's end, card by card, and the
// mean lies between a card at rest (34 W with a model) and one that decodes (315 W).
TEST(RunPower, TimesOfADeviceAddUpToTheRun) {
  const PlannedPart part = office();
  EngineRequests requests;
  requests.requests = {{0, 500, 401, -1, 0}, {100, 500, 401, -1, 0}};
  const EngineResult result = run_engine(*part.plan, requests, {}).value();
  const RunPower power = run_power(part.machine, *part.plan, result, 230).value();
  ASSERT_EQ(power.times.size(), 2u);
  double decoding = 0;
  for (std::size_t d = 0; d < 2; ++d) {
    const DeviceTimes& times = power.times[d];
    EXPECT_NEAR(times.decode_s + times.prompt_s + times.waiting_s + times.resident_s, result.end_s, 1e-9);
    EXPECT_GT(times.resident_s, 80);
    EXPECT_GT(times.waiting_s, 0) << "while the other card works";
    EXPECT_GT(power.mean[d].value.value(), 34);
    EXPECT_LT(power.mean[d].value.value(), 315);
    EXPECT_LE(power.mean[d].low, power.mean[d].value);
    decoding += times.decode_s;
  }
  // Two cards in turn: together they decode as long as answers take, less prompts and what lies between.
  EXPECT_NEAR(decoding, 800 * part.step_s, 0.1 * decoding);
  EXPECT_NEAR(power.energy.value.value(), power.wall.value.value() * result.end_s, 1e-6);
}

TEST(RunPower, NobodyAsksNobodyWorks) {
  const PlannedPart part = office();
  EngineResult idle;
  idle.end_s = 10;
  idle.stage_work_s = idle.stage_prompt_s = {0, 0};
  idle.replica_busy_s = {0};
  const RunPower power = run_power(part.machine, *part.plan, idle, 230).value();
  const Device& card = *part.machine.machine.boxes[0].devices[0];
  EXPECT_NEAR(power.mean[0].value.value(), device_watts(card, DevicePhase::resident).value.value(), 1e-9);
}

}  // namespace
}  // namespace oblea
