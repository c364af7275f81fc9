#include "io/scenario_failures.hpp"

#include <gtest/gtest.h>

#include "io/scenario_file.hpp"
#include "support/repository.hpp"
#include "support/temporary_folder.hpp"

namespace oblea {
namespace {

const char* kNodes = R"("model": {"id": "llama-3.1-8b"}, "cluster": {"nodes": [
  {"name": "nas-box", "host": "am5-b650-ryzen-7600", "devices": ["rtx-3090"]},
  {"name": "big", "host": "epyc-7302-romed8-2t-open-frame", "devices": ["rtx-3090", "rtx-3090"]}]})";

Result<Scenario> read(const std::string& sections) {
  const test::TemporaryFolder folder;
  Diagnostics warnings;
  return read_scenario(folder.write("s.json", std::string("{") + kNodes + ",\n" + sections + "}"), {},
                       test::repository_library(), test::repository_path("scenarios/models"), warnings);
}

std::string faults(const std::string& sections) {
  const Result<Scenario> scenario = read(sections);
  return scenario ? "" : print_diagnostics(scenario.error());
}

TEST(ScenarioFailures, AreReadWithTheirUnits) {
  const Scenario s =
      read(
          R"("failures": {"events": [{"what": "big/1", "at": "2 min", "repair": "10 min"}, {"what": "network", "at": "0 s"}],
    "device_mtbf": "8000 h", "repair": "1 h", "detect": "5 s", "in_flight": "lose", "seed": 4})")
          .value();
  ASSERT_TRUE(s.failures);
  ASSERT_EQ(s.failures->events.size(), 2u);
  EXPECT_EQ(s.failures->events[0].what, "big/1");
  EXPECT_EQ(s.failures->events[0].at_s, 120);
  EXPECT_EQ(s.failures->events[0].repair_s, 600);
  EXPECT_EQ(s.failures->events[1].repair_s, 0);
  EXPECT_EQ(s.failures->device_mtbf_s, 8000.0 * 3600);
  EXPECT_EQ(s.failures->node_mtbf_s, 0);
  EXPECT_EQ(s.failures->repair_s, 3600);
  EXPECT_EQ(s.failures->detect_s, 5);
  EXPECT_FALSE(s.failures->retry);
  EXPECT_EQ(s.failures->seed, 4u);
}

TEST(ScenarioFailures, AreNoneWhereNoneAreSaid) {
  const Scenario s = read(R"("serving": {})").value();
  EXPECT_FALSE(s.failures);
  EXPECT_EQ(s.serving.replicas, 1);
}

TEST(ScenarioFailures, NameWhatTheClusterHas) {
  const std::string text = faults(R"("failures": {"events": [{"what": "nas-bax", "at": "1 s"},
    {"what": "big/2", "at": "1 s"}]})");
  EXPECT_NE(text.find("did you mean \"nas-box\"?"), std::string::npos) << text;
  EXPECT_NE(text.find("\"big/2\" is no part of the cluster"), std::string::npos) << text;
  EXPECT_NE(text.find("s.json:"), std::string::npos) << text;
}

TEST(ScenarioFailures, TakeNoMtbfBelowASecond) {
  EXPECT_NE(faults(R"("failures": {"node_mtbf": "100 ms"})"), "");
  EXPECT_EQ(faults(R"("failures": {"node_mtbf": "1 s"})"), "");
}

TEST(ScenarioServing, ReadsReplicas) {
  const Scenario s = read(R"("serving": {"replicas": 3, "prefill_replicas": 1, "balancing": "round-robin"})").value();
  EXPECT_EQ(s.serving.replicas, 3);
  EXPECT_EQ(s.serving.prefill_replicas, 1);
  EXPECT_EQ(s.serving.balancing, Balancing::round_robin);
}

TEST(ScenarioServing, LeavesSomebodyToAnswer) {
  EXPECT_NE(faults(R"("serving": {"replicas": 2, "prefill_replicas": 2})").find("none is left to answer"),
            std::string::npos);
}

}  // namespace
}  // namespace oblea
