#include "study/fleet_rows.hpp"

#include <gtest/gtest.h>

#include "support/engine_plans.hpp"
#include "support/repository.hpp"

namespace oblea {
namespace {

// Two replicas of one sequence, a token a second; the second is down from 10 to 30 s and loaded at 35 s.
FleetPlan fleet() {
  const auto plan = std::make_shared<const EnginePlan>(test::plan_of({test::constant_stage(1)}));
  FleetPlan fleet;
  fleet.replicas.push_back({"replica 1", Role::whole, {{0, plan, 0}}});
  fleet.replicas.push_back({"replica 2", Role::whole, {{0, plan, 0}, {10, nullptr, 10}, {30, plan, 35}}});
  return fleet;
}

// At 0 s each replica takes one of 20 tokens; the second's dies half made and waits for the first: 20 s + 20 s.
EngineResult result_of(const FleetPlan& fleet) {
  EngineRequests requests;
  requests.requests = {test::request_of(0, 1, 20), test::request_of(0, 1, 20), test::request_of(60, 1, 40)};
  return run_engine(fleet, requests, {}).value();
}

double number(const Table& table, const std::string& row, std::size_t column) {
  for (const auto& cells : table.rows) {
    if (std::get<std::string>(cells[0]) == row) return std::get<double>(cells[column]);
  }
  ADD_FAILURE() << "no row " << row;
  return 0;
}

TEST(FleetRows, SayWhoAnsweredAndWasDown) {
  const FleetPlan plan = fleet();
  const EngineResult result = result_of(plan);
  ASSERT_NEAR(result.end_s, 100, 1e-6);
  const Table table = replica_table(plan, result);
  EXPECT_EQ(number(table, "replica 1", 1) + number(table, "replica 2", 1), 3);
  EXPECT_EQ(number(table, "replica 1", 2), 0);
  EXPECT_NEAR(number(table, "replica 2", 2), 25, 1e-6);
}

TEST(FleetRows, CountWhatFailuresCost) {
  const FleetPlan plan = fleet();
  const EngineResult with = result_of(plan);
  FleetPlan sound = plan;
  sound.replicas[1].phases.resize(1);
  const Table table = failure_cost_table(plan, result_of(sound), with);
  EXPECT_NEAR(number(table, "e2e_mean_s", 1), (20 + 20 + 40) / 3.0, 1e-6);
  EXPECT_NEAR(number(table, "e2e_mean_s", 2), (20 + 40 + 40) / 3.0, 1e-6);
  EXPECT_EQ(number(table, "retried_requests", 2), 1);
  EXPECT_EQ(number(table, "lost_requests", 2), 0);
  EXPECT_NEAR(number(table, "answer_tokens_discarded", 2), 10, 1);
}

TEST(FleetRows, AreAvailableWhereOneAlwaysServes) {
  const FleetPlan plan = fleet();
  const EngineResult result = result_of(plan);
  std::vector<Verdict> verdicts;
  add_failure_verdicts(verdicts, plan, result);
  ASSERT_EQ(verdicts.size(), 1u);
  EXPECT_EQ(verdicts[0].name, "available");
  EXPECT_EQ(failure_figures(plan, result)[0].value, 100);
}

TEST(FleetRows, TellOutageFromInterruption) {
  FleetPlan alone = fleet();
  alone.replicas.erase(alone.replicas.begin());
  EngineResult result;
  result.end_s = 100;
  result.requests.resize(4);
  result.requests[0].outcome = Outcome::lost;
  std::vector<Verdict> verdicts;
  add_failure_verdicts(verdicts, alone, result);
  ASSERT_EQ(verdicts.size(), 2u);
  EXPECT_EQ(verdicts[0].name, "outage");
  EXPECT_NE(verdicts[0].words.find("20 s of 100 s"), std::string::npos) << verdicts[0].words;
  EXPECT_NE(verdicts[0].words.find("25 s"), std::string::npos) << verdicts[0].words;
  EXPECT_EQ(verdicts[1].name, "lost-requests");
  verdicts.clear();
  alone.replicas[0].phases.erase(alone.replicas[0].phases.begin() + 1);
  add_failure_verdicts(verdicts, alone, result);
  EXPECT_EQ(verdicts[0].name, "interrupted");
}

TEST(FleetRows, TellTheFirstChangesInWords) {
  PlannedFleet planned;
  planned.fleet = fleet();
  planned.changes = {{10, 1, "node2 fails", "", "no card is left", 10}, {30, 1, "node2 is back", "node2", "", 35}};
  const std::vector<std::string> notes = change_notes(planned, 100);
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_EQ(notes[0],
            "from 10 s: node2 fails; what is left of replica 2 does not hold the model (no card is left): down until "
            "35 s");
  EXPECT_EQ(notes[1], "from 30 s: node2 is back; replica 2 goes on with node2, planned anew, and serves from 35 s");
  EXPECT_EQ(change_notes(planned, 20).size(), 1u) << "what comes after the run is not told";
}

}  // namespace
}  // namespace oblea
