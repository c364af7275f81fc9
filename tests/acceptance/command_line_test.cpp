// Through the real program: exit codes, valid JSON, and the same bytes whatever the locale, time zone and folder.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/json_schema.hpp"
#include "support/repository.hpp"
#include "support/run_command.hpp"
#include "support/temporary_folder.hpp"

namespace oblea {
namespace {

using test::CommandResult;
using test::repository_path;
using test::run_command;
using test::run_oblea;

const std::string kTwoNode = repository_path("scenarios/homelab/two-node-10gbe.json");

std::vector<std::string> size_question(std::vector<std::string> more = {}) {
  std::vector<std::string> words = {"size",      "--budget", "3500 EUR", "--model", "llama-3.3-70b",
                                    "--context", "8192",     "--users",  "2"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST(CommandLine, TheWholeLibraryIsComplete) {
  const CommandResult result = run_oblea({"profiles", "check"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("complete"), std::string::npos);
}

TEST(CommandLine, DoesNotFitIsAnAnswer) { EXPECT_EQ(run_oblea({"place", kTwoNode}).exit_code, 0); }

TEST(CommandLine, FailOnAVerdictThatTheReportHoldsGivesOne) {
  const CommandResult result = run_oblea({"place", kTwoNode, "--fail-on", "does-not-fit"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.out.find("39.6 GiB of weights"), std::string::npos) << "the answer is printed all the same";
}

TEST(CommandLine, FailOnAVerdictThatItDoesNotHoldGivesZero) {
  EXPECT_EQ(run_oblea({"place", kTwoNode, "--fail-on", "circuit-overloaded"}).exit_code, 0);
  EXPECT_EQ(run_oblea({"place", kTwoNode, "--quant", "IQ2_M", "--fail-on", "does-not-fit"}).exit_code, 0);
}

TEST(CommandLine, FailOnTakesSeveral) {
  const std::string tank = repository_path("scenarios/immersion/four-3090.json");
  EXPECT_EQ(run_oblea({"place", tank, "--circuit", "us-15a", "--fail-on", "does-not-fit,circuit-overloaded"}).exit_code,
            1);
}

TEST(CommandLine, NothingInTheBudgetIsAVerdictToFailOn) {
  const std::vector<std::string> poor = {"size", "--budget", "300 EUR", "--model", "llama-3.3-70b"};
  EXPECT_EQ(run_oblea(poor).exit_code, 0);
  std::vector<std::string> strict = poor;
  strict.insert(strict.end(), {"--fail-on", "nothing-in-budget"});
  EXPECT_EQ(run_oblea(strict).exit_code, 1);
}

TEST(CommandLine, AScenarioThatIsMissingIsBadInput) {
  const CommandResult result = run_oblea({"place", "no-such-file.json"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_NE(result.err.find("no-such-file.json"), std::string::npos);
}

TEST(CommandLine, TheJsonOfAReportIsValidByItsSchema) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"place", kTwoNode, "--json", "-"},
        {"place", repository_path("scenarios/wafer/kimi-k3.json"), "--json", "-"},
        {"place", repository_path("scenarios/immersion/four-3090.json"), "--json", "-"},
        size_question({"--json", "-"}),
        {"size", "--budget", "300 EUR", "--model", "llama-3.3-70b", "--json", "-"}}) {
    const CommandResult result = run_oblea(words);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(test::schema_faults("report", result.out), "") << words[0] << " " << words[1];
  }
}

// What the table says, the JSON says: the same report in two dresses.
TEST(CommandLine, TheJsonHoldsTheNumbersOfTheTable) {
  const auto json = nlohmann::json::parse(run_oblea({"place", kTwoNode, "--json", "-"}).out);
  EXPECT_EQ(json["command"], "place");
  EXPECT_EQ(json["verdicts"][0]["name"], "does-not-fit");
  const auto sized = nlohmann::json::parse(run_oblea(size_question({"--json", "-"})).out);
  const std::string table = run_oblea(size_question()).out;
  EXPECT_NE(table.find(sized["builds"][0]["name"].get<std::string>()), std::string::npos);
}

TEST(CommandLine, FilesAndScreenHoldTheSame) {
  const test::TemporaryFolder folder;
  const CommandResult both = run_oblea(size_question({"--json", folder.path("r.json"), "--csv", folder.path("r.csv")}));
  EXPECT_EQ(both.exit_code, 0);
  EXPECT_EQ(test::read_file(folder.path("r.json")), run_oblea(size_question({"--json", "-"})).out);
  EXPECT_EQ(test::read_file(folder.path("r.csv")), run_oblea(size_question({"--csv", "-"})).out);
  EXPECT_EQ(both.out, run_oblea(size_question()).out);
}

TEST(CommandLine, TheSameQuestionGivesTheSameBytes) {
  const test::TemporaryFolder folder;
  for (const std::vector<std::string>& words : {std::vector<std::string>{"place", kTwoNode},
                                                {"place", kTwoNode, "--json", "-"},
                                                size_question(),
                                                size_question({"--json", "-"}),
                                                size_question({"--csv", "-"}),
                                                {"profiles", "list", "gpu"}}) {
    const std::string once = run_oblea(words).out;
    ASSERT_FALSE(once.empty());
    EXPECT_EQ(run_oblea(words).out, once);
    for (const std::vector<std::string>& surroundings :
         {std::vector<std::string>{"LC_ALL=de_DE.UTF-8", "LANG=de_DE.UTF-8"},
          {"LC_ALL=tr_TR.UTF-8"},
          {"TZ=Pacific/Kiritimati"},
          {"-C", folder.path()},
          {"-i"},
          {"COLUMNS=40", "TERM=dumb"}}) {
      std::vector<std::string> command = {"env"};
      command.insert(command.end(), surroundings.begin(), surroundings.end());
      command.push_back(OBLEA_BINARY);
      command.insert(command.end(), words.begin(), words.end());
      const CommandResult again = run_command(command);
      EXPECT_EQ(again.exit_code, 0) << again.err;
      EXPECT_EQ(again.out, once) << surroundings.front();
    }
  }
}

// A path is no part of the answer: the scenario's hash is that of its text.
TEST(CommandLine, ACopyOfTheScenarioElsewhereHasTheSameAnswer) {
  const test::TemporaryFolder folder;
  const std::string copy = folder.write("copy.json", test::read_file(kTwoNode));
  EXPECT_EQ(run_oblea({"place", copy, "--json", "-"}).out, run_oblea({"place", kTwoNode, "--json", "-"}).out);
}

}  // namespace
}  // namespace oblea
