// `oblea simulate --trace`: requests of every format are played, what cannot be served is counted, faults have places.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/json_report.hpp"
#include "support/repository.hpp"
#include "support/run_command.hpp"
#include "support/temporary_folder.hpp"

namespace oblea {
namespace {

using Json = nlohmann::json;
using test::CommandResult;
using test::figure;
using test::run_oblea;
using ::testing::HasSubstr;

const std::string kOffice = "scenarios/homelab/serve-four-users.json";
const std::string kHeader = "arrival_s,prompt_tokens,output_tokens\n";

CommandResult simulate(std::vector<std::string> flags) {
  flags.insert(flags.begin(), {"simulate", test::repository_path(kOffice), "--json", "-", "--set", "claims=[]"});
  return run_oblea(flags);
}

Json played(const std::vector<std::string>& flags) {
  const CommandResult result = simulate(flags);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return Json::parse(result.out);
}

class SimulateTrace : public ::testing::Test {
 protected:
  test::TemporaryFolder folder;
};

// The same two requests, ten seconds apart, however they are written.
TEST_F(SimulateTrace, EveryFormatIsTheSameRequests) {
  const std::string files[] = {
      folder.write("own", kHeader + "0,700,90\n10,900,40\n"),
      folder.write("azure",
                   "TIMESTAMP,ContextTokens,GeneratedTokens\r\n2026-03-02 09:00:01.1234500,700,90\r\n"
                   "2026-03-02 10:00:11.12345+01:00,900,40\r\n"),
      folder.write("burst",
                   "Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type\n"
                   "7,GPT-4,700,90,790,API log\n17,ChatGPT,900,40,940,Conversation log\n"),
      folder.write("mooncake",
                   "{\"timestamp\": 3000, \"input_length\": 700, \"output_length\": 90, \"hash_ids\": [0, 1]}\n"
                   "{\"timestamp\": 13000, \"input_length\": 900, \"output_length\": 40, \"hash_ids\": [2, 3]}\n")};
  const Json own = played({"--trace", files[0]});
  EXPECT_EQ(figure(own, "finished_requests"), 2);
  EXPECT_NEAR(figure(own, "offered_requests_per_s"), 0.1, 1e-9);
  for (const std::string& file : files) EXPECT_EQ(played({"--trace", file})["metrics"], own["metrics"]) << file;
}

TEST_F(SimulateTrace, MayBePlayedFasterAndInPart) {
  std::string text = kHeader;
  for (int i = 0; i < 40; ++i) text += std::to_string(20 * i) + ",600,60\n";
  const std::string file = folder.write("t.csv", text);
  EXPECT_NEAR(figure(played({"--trace", file, "--requests", "40"}), "offered_requests_per_s"), 0.05, 1e-9);
  const Json part = played({"--trace", file, "--speed", "4", "--requests", "10"});
  EXPECT_EQ(figure(part, "finished_requests"), 10);
  EXPECT_NEAR(figure(part, "offered_requests_per_s"), 0.2, 1e-9);
  EXPECT_THAT(part["notes"].dump(), HasSubstr("10 of 40 requests of the trace are played, 4 times as fast"));
}

// Case G02: a conversation trace with prompts beyond the 8,192 tokens that the model was made for.
TEST_F(SimulateTrace, RequestsLongerThanTheContextAreRejectedAndCounted) {
  const std::string file = folder.write("long.csv", kHeader + "0,700,90\n5,9000,100\n9,8000,300\n12,8000,192\n");
  const Json report = played({"--trace", file, "--model", "llama-3-8b", "--context", "8192"});
  EXPECT_EQ(figure(report, "rejected_requests"), 2);
  EXPECT_EQ(figure(report, "finished_requests"), 2);
  EXPECT_THAT(report["verdicts"].dump(), HasSubstr("2 of 4 requests are longer than a request's context"));
  EXPECT_EQ(simulate({"--trace", file, "--model", "llama-3-8b", "--fail-on", "rejected-requests"}).exit_code, 1);
}

TEST_F(SimulateTrace, TheFilesBytesArePartOfTheInput) {
  const std::string file = folder.write("t.csv", kHeader + "0,700,90\n10,900,40\n");
  const Json before = played({"--trace", file});
  EXPECT_EQ(played({"--trace", file}), before);
  folder.write("t.csv", kHeader + "0,700,90\n10,900,41\n");
  EXPECT_NE(played({"--trace", file})["input_hash"], before["input_hash"]);
}

TEST_F(SimulateTrace, LiesBesideTheScenarioThatNamesIt) {
  folder.write("own/t.csv", kHeader + "0,700,90\n10,900,40\n");
  const std::string scenario = folder.write(
      "own/s.json", "{\"extends\": \"" + test::repository_path(kOffice) +
                        "\", \"traffic\": {\"arrivals\": \"trace\", \"trace\": \"t.csv\"}, \"claims\": []}");
  const CommandResult result = run_oblea({"simulate", scenario, "--json", "-"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
}

TEST_F(SimulateTrace, BadTracesAreRefusedWithEveryPlace) {
  const std::string file = folder.write("bad.csv", kHeader + "0,700,0\nnan,900,40\n3,1,1,1\n");
  const CommandResult bad = simulate({"--trace", file});
  EXPECT_EQ(bad.exit_code, 2);
  for (const char* place : {"bad.csv:2:7: error", "bad.csv:3:1: error", "bad.csv:4:7: error"}) {
    EXPECT_THAT(bad.err, HasSubstr(place));
  }
  const CommandResult gone = simulate({"--trace", "no-such.csv"});
  EXPECT_EQ(gone.exit_code, 2);
  EXPECT_THAT(gone.err, HasSubstr("no-such.csv"));
  const CommandResult unnamed = simulate({"--arrivals", "trace"});
  EXPECT_EQ(unnamed.exit_code, 2);
  EXPECT_THAT(unnamed.err, HasSubstr("\"trace\" names no file"));
}

TEST_F(SimulateTrace, OrderAndFailuresOfTheRecordingAreWarnings) {
  const std::string file = folder.write("b.csv", "Timestamp,Request tokens,Response tokens\n9,10,5\n7,10,0\n8,10,5\n");
  const CommandResult result = simulate({"--trace", file});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, HasSubstr("1 requests without a prompt or an answer"));
  EXPECT_THAT(result.err, HasSubstr("sorted by arrival"));
}

}  // namespace
}  // namespace oblea
