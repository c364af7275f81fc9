// Loading as a part of a run: the claims of the scenarios that load, and what waiting for the weights does to people.
#include <gtest/gtest.h>

#include "study/simulate.hpp"
#include "support/repository.hpp"

namespace oblea {
namespace {

Report simulated(const std::string& path, const std::vector<ScenarioSetting>& settings = {}) {
  Result<Simulation> simulation = run_simulate(test::repository_scenario(path, settings), test::repository_library(),
                                               test::repository_timing(), {});
  if (!simulation) throw std::runtime_error(print_diagnostics(simulation.error()));
  return std::move(simulation->report);
}

double figure(const Report& report, const char* name) { return test::value_of(report.metrics, name); }

const std::string kTwoNodes = "scenarios/homelab/cold-start-two-node.json";
const std::string kRisers = "scenarios/immersion/four-3090-risers.json";
const std::string kOffice = "scenarios/homelab/serve-four-users.json";

void expect_outcomes(const std::string& path, const std::vector<ClaimOutcome>& expected) {
  const Report report = simulated(path);
  ASSERT_EQ(report.claims.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_EQ(report.claims[i].outcome, expected[i]) << report.claims[i].statement << ": " << report.claims[i].computed;
}

constexpr ClaimOutcome kConfirmed = ClaimOutcome::confirmed;
constexpr ClaimOutcome kRefuted = ClaimOutcome::refuted;

// 23.66 GB, of which 10.18 are the second box's; 1 s of starting llama.cpp, 60 s of vLLM.
TEST(ColdStartClaims, OfTheTwoNodeHomeCluster) {
  expect_outcomes(kTwoNodes, {
                                 kRefuted,    // mapped: 23.66 / 0.25 = 95 s
                                 kConfirmed,  // read: 23.66 / 0.9 = 26 s
                                 kConfirmed,  // 23.66 / 0.11 = 215 s
                                 kConfirmed,  // 13.48 / 1.5 + 10.18 / 0.7 ... in turn: 31 s
                                 kRefuted,    // 10.18 GB are hashed at 0.7 GB/s: 15 s
                                 kRefuted,    // 2 x 16.06 / 0.9 = 36 s
                                 kConfirmed,  // 2 x 16.06 / 1.8 = 18 s
                             });
}

// 41.9 GB one card after the other.
TEST(ColdStartClaims, OfTheRisers) {
  expect_outcomes(kRisers, {
                               kConfirmed,  // 41.9 / 0.2 = 210 s
                               kConfirmed,  // 41.9 / 1.5 = 28 s
                               kRefuted,    // 16 kB a hop and token
                               kConfirmed,  // the same
                               kConfirmed,  // 160 all-reduces a token eat what four cards at once win
                           });
}

// Who comes while the model loads waits for it, and then as anybody.
TEST(ColdStart, RequestsWaitForTheWeights) {
  const std::vector<ScenarioSetting> one = {{"traffic.requests", "1", "test"}, {"traffic.rate", "100", "test"}};
  std::vector<ScenarioSetting> cold = one;
  cold.push_back({"storage.disk", "hdd-8tb", "test"});
  const Report warm = simulated(kOffice, one);
  const Report waits = simulated(kOffice, cold);
  const double load_s = figure(waits, "load_s");
  const double arrival_s = figure(waits, "first_answer_s") - figure(waits, "ttft_mean_s");
  EXPECT_GT(load_s, 100);  // 19 GB at 0.1 GB/s
  EXPECT_NEAR(figure(waits, "ttft_mean_s"), load_s - arrival_s + figure(warm, "ttft_mean_s"), 1e-6);
  EXPECT_NEAR(figure(waits, "tpot_mean_s"), figure(warm, "tpot_mean_s"), 1e-9);
}

TEST(ColdStart, ItsBandIsPartOfTheAnswersBand) {
  const Report report = simulated(kTwoNodes);
  const Metric* load = find_metric(report.metrics, "load_s");
  const Metric* first = find_metric(report.metrics, "first_answer_s");
  ASSERT_NE(load, nullptr);
  ASSERT_NE(first, nullptr);
  EXPECT_GT(first->low, load->low);
  EXPECT_GT(first->high, load->high);
  EXPECT_LT(load->low, load->value);
}

TEST(ColdStart, WithoutStorageNothingIsSaidOfLoading) {
  const Report report = simulated(kOffice, {{"traffic.requests", "1", "test"}});
  EXPECT_EQ(find_metric(report.metrics, "load_s"), nullptr);
  EXPECT_EQ(find_metric(report.metrics, "first_answer_s"), nullptr);
}

// What a machine can serve does not hang on how long it took to start.
TEST(ColdStart, CapacityIsThatOfALoadedMachine) {
  const std::vector<ScenarioSetting> few = {{"traffic.requests", "20", "test"}};
  std::vector<ScenarioSetting> cold = few;
  cold.push_back({"storage.disk", "hdd-8tb", "test"});
  EXPECT_NEAR(figure(simulated(kOffice, cold), "capacity_requests_per_s"),
              figure(simulated(kOffice, few), "capacity_requests_per_s"), 1e-9);
}

}  // namespace
}  // namespace oblea
