// Bad input through the real program: exit code 2, every fault with its place, at once, quickly, and nothing written.
#include <sys/stat.h>

#include <algorithm>
#include <regex>

#include <gtest/gtest.h>

#include "support/run_command.hpp"
#include "support/temporary_folder.hpp"

namespace oblea {
namespace {

using test::CommandResult;
using test::run_oblea;
using test::TemporaryFolder;

#if defined(__SANITIZE_ADDRESS__)
constexpr double kLimit = 10;  // sanitizers slow everything down: time is judged in release builds
#else
constexpr double kLimit = 0.1;  // seconds
#endif
constexpr int kRuns =
    3;  // the median counts: the machine does other things too, and when it is busy processor time counts

const char* kGood = R"({
  "question": "Does it fit?",
  "model": {"id": "llama-3.3-70b", "quantisation": "Q4_K_M"},
  "workload": {"users": 2, "context": 8192},
  "cluster": {
    "nodes": [
      {"host": "epyc-7302-romed8-2t-open-frame", "devices": ["rtx-3090", "rtx-3090", "rtx-3090"], "ram": "64 GiB"}
    ]
  }
}
)";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos) throw std::runtime_error("no " + from);
  return text.replace(at, from.size(), to);
}

class BadInput : public ::testing::Test {
 protected:
  // Runs `arguments` with outputs named and holds the result to the rules that every bad input obeys.
  CommandResult refused(std::vector<std::string> arguments) {
    const std::string fresh = folder.path("fresh.json");
    const std::string old = folder.write("old.csv", "kept");
    arguments.insert(arguments.end(), {"--json", fresh, "--csv", old});
    const std::size_t entries = folder.count_entries();
    std::vector<double> seconds;
    CommandResult result;
    for (int i = 0; i < kRuns; ++i) {
      result = run_oblea(arguments);
      seconds.push_back(test::is_machine_busy() ? result.cpu_s : result.wall_s);
    }
    std::nth_element(seconds.begin(), seconds.begin() + kRuns / 2, seconds.end());
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_LT(seconds[kRuns / 2], kLimit);
    EXPECT_EQ(result.out, "") << "what went wrong belongs on standard error";
    EXPECT_NE(result.err.find("error: "), std::string::npos) << result.err;
    EXPECT_EQ(folder.count_entries(), entries) << "a file appeared";
    EXPECT_EQ(test::read_file(old), "kept");
    for (const char c : result.err) EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20);
    return result;
  }

  CommandResult refused_scenario(const std::string& text) { return refused({"place", folder.write("s.json", text)}); }

  // As `refused_scenario`, with one replacement in a good scenario.
  CommandResult refused_change(const std::string& from, const std::string& to) {
    return refused_scenario(replaced(kGood, from, to));
  }

  TemporaryFolder folder;
};

int count_of(const std::string& text, const std::string& part) {
  int count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// One error, at s.json:LINE:COLUMN, whose text holds `words`, with a hint that holds `hint` ("" asks for none).
void expect_one(const CommandResult& result, const std::string& place, const std::string& words,
                const std::string& hint) {
  EXPECT_EQ(count_of(result.err, "error: "), 1) << result.err;
  EXPECT_NE(result.err.find("/s.json:" + place + ": error: "), std::string::npos) << result.err;
  EXPECT_NE(result.err.find(words), std::string::npos) << result.err;
  if (hint.empty()) return;
  EXPECT_NE(result.err.find("hint: " + hint), std::string::npos) << result.err;
}

TEST_F(BadInput, TheGoodScenarioIsGood) {
  const CommandResult result = run_oblea({"place", folder.write("s.json", kGood)});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out, "");
}

TEST_F(BadInput, UnknownKey) {
  expect_one(refused_change("\"users\"", "\"usres\""), "4:16", "unknown key \"usres\"", "did you mean \"users\"?");
}

TEST_F(BadInput, WrongUnit) {
  const CommandResult result = refused_change("64 GiB", "64 gb");
  expect_one(result, "7:106", "\"ram\"", "");
  EXPECT_NE(result.err.find("64 GiB"), std::string::npos) << result.err;
}

TEST_F(BadInput, MissingUnit) {
  expect_one(refused_change("\"64 GiB\"", "64"), "7:106", "with its unit in quotes", "");
}

TEST_F(BadInput, DuplicateKey) {
  expect_one(refused_change("\"users\": 2", "\"users\": 2, \"users\": 3"), "4:28", "\"users\" appears twice",
             "remove one");
}

TEST_F(BadInput, MissingProfile) {
  expect_one(refused_change("[\"rtx-3090\", ", "[\"rtx-309\", "), "7:62", "no profile has the id \"rtx-309\"",
             "did you mean \"rtx-3090\"?");
}

TEST_F(BadInput, UnknownModel) {
  expect_one(refused_change("llama-3.3-70b", "llama-3.3-7b"), "3:19", "no model \"llama-3.3-7b\"",
             "did you mean \"llama-3");
}

TEST_F(BadInput, AModelFileThatIsNotThere) {
  expect_one(refused_change("llama-3.3-70b", "../models/llama-3.3-70b"), "3:19", "no such file or folder", "");
}

TEST_F(BadInput, UnknownQuantisation) {
  expect_one(refused_change("Q4_K_M", "Q4_KM"), "3:52", "quantisation \"Q4_KM\" is not known",
             "did you mean \"Q4_K_M\"?");
}

TEST_F(BadInput, ContextZero) {
  expect_one(refused_change("8192", "0"), "4:39", "\"context\" is 0; it must be at least 1", "");
}

TEST_F(BadInput, MinusOneUsers) {
  expect_one(refused_change("\"users\": 2", "\"users\": -1"), "4:25", "\"users\" is -1; it must be at least 1", "");
}

TEST_F(BadInput, NotANumber) {
  expect_one(refused_change("\"users\": 2", "\"users\": NaN"), "4:25", "not valid JSON", "numbers must be finite");
}

TEST_F(BadInput, NumberOutOfRange) {
  expect_one(refused_change("\"users\": 2", "\"users\": 1e999"), "4:25", "number out of range: 1e999",
             "numbers go up to");
}

TEST_F(BadInput, AMillionNestedBrackets) {
  expect_one(refused_scenario(std::string(1'000'000, '[')), "1:65", "brackets nested deeper than 64", "");
  expect_one(refused_change("\"users\": 2", "\"users\": " + std::string(1'000'000, '[')), "4:87", "nested deeper", "");
}

TEST_F(BadInput, TwentyMegabytes) {
  const CommandResult result = refused_scenario(kGood + std::string(20'000'000, ' '));
  EXPECT_NE(result.err.find("/s.json: error: file of 200"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("the limit is 4194304"), std::string::npos);
}

TEST_F(BadInput, EmptyFile) { expect_one(refused_scenario(""), "1:1", "not valid JSON", ""); }

TEST_F(BadInput, BinaryGarbage) {
  std::string garbage;
  std::uint32_t state = 1;
  for (int i = 0; i < 100'000; ++i) garbage += static_cast<char>((state = state * 1664525u + 1013904223u) >> 24);
  const CommandResult result = refused_scenario(garbage);
  EXPECT_LT(result.err.size(), 2000u);
  expect_one(refused_scenario("{\"model\": \"\x1b[2J\xff\"}"), "1:12", "not valid JSON", "");
}

TEST_F(BadInput, ADirectory) {
  const CommandResult result = refused({"place", folder.path()});
  EXPECT_EQ(result.err, folder.path() + ": error: is a directory, not a file\n");
}

TEST_F(BadInput, AMissingFile) {
  const CommandResult result = refused({"place", folder.path("none.json")});
  EXPECT_EQ(result.err, folder.path("none.json") + ": error: cannot open: No such file or directory\n");
}

TEST_F(BadInput, FilesThatExtendEachOther) {
  folder.write("a.json", "{\"extends\": \"b.json\"}");
  folder.write("b.json", "{\"extends\": \"s.json\"}");
  const CommandResult result = refused_scenario("{\n \"extends\": \"a.json\"}");
  EXPECT_NE(result.err.find("/b.json:1:13: error: "), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("extends itself"), std::string::npos) << result.err;
  expect_one(refused_scenario("{\"extends\": \"s.json\"}"), "1:13", "extends itself", "");
}

TEST_F(BadInput, AChainOfSeventeenFiles) {
  for (int i = 1; i <= 17; ++i) {
    folder.write(std::to_string(i) + ".json", "{\"extends\": \"" + std::to_string(i + 1) + ".json\"}");
  }
  const CommandResult result = refused_scenario("{\"extends\": \"1.json\"}");
  EXPECT_NE(result.err.find("more than 16 files"), std::string::npos) << result.err;
}

TEST_F(BadInput, ABaseThatIsNotThereIsPointedAt) {
  expect_one(refused_scenario("{\"extends\": \"none.json\"}"), "1:13", "cannot open", "");
}

TEST_F(BadInput, AFaultOfABaseIsPointedAtInTheBase) {
  folder.write("base.json", replaced(kGood, "\"users\": 2", "\"users\": -1"));
  const CommandResult result = refused_scenario("{\"extends\": \"base.json\"}");
  EXPECT_NE(result.err.find("/base.json:4:25: error: \"users\" is -1"), std::string::npos) << result.err;
}

TEST_F(BadInput, SettingsOfTheCommandLine) {
  const std::string good = folder.write("s.json", kGood);
  const auto refused_setting = [&](const std::string& setting) {
    return refused({"place", good, "--set", setting}).err;
  };
  EXPECT_NE(refused_setting("workload.usres=2").find("did you mean \"users\"?"), std::string::npos);
  EXPECT_NE(refused_setting("cluster.nodes.7.host=x").find("leads nowhere at \"7\""), std::string::npos);
  EXPECT_NE(refused_setting("workload.users.x.y=1").find("leads nowhere"), std::string::npos);
  EXPECT_NE(refused_setting("workload..users=1").find("leads nowhere"), std::string::npos);
  EXPECT_NE(refused_setting("workload.users=-1").find("command line:1:1: error: \"users\" is -1"), std::string::npos);
  EXPECT_NE(refused_setting("workload.users=NaN").find("must be a number"), std::string::npos);
  std::string endless = "a";
  for (int i = 0; i < 50'000; ++i) endless += ".a";
  EXPECT_NE(refused_setting(endless + "=1").find("leads nowhere"), std::string::npos);
}

TEST_F(BadInput, FlagsOfTheCommandLine) {
  const CommandResult result = refused({"size", "--model", "llama-3.3-70", "--budget", "3500 GBP", "--users", "0"});
  EXPECT_EQ(count_of(result.err, "error: "), 3) << result.err;
  EXPECT_NE(result.err.find("--budget 3500 GBP"), std::string::npos) << result.err;
  EXPECT_NE(refused({"size", "--model", "llama-3.3-70b", "--budget", "0 EUR"}).err.find("greater than 0"),
            std::string::npos);
  EXPECT_NE(refused({"size", "--model", "llama-3.3-70b", "--budget", "-5 EUR"}).err.find("error"), std::string::npos);
}

std::string price_list(const std::string& price) {
  return R"({"id": "mine", "kind": "price_list",
 "exchange_rates": {"USD": {"value": "0.9 EUR", "source": "s", "date": "2026-11", "confidence": "review"}},
 "prices": [{"item": "rtx-3090", "price": ")" +
         price + R"(", "condition": "used", "source": "s", "date": "2026-11",
             "confidence": "review"}]})";
}

TEST_F(BadInput, PricesThatAreNone) {
  const std::string good = folder.write("s.json", kGood);
  const auto refused_price = [&](const std::string& price) {
    return refused({"place", good, "--profile", folder.write("p.json", price_list(price))}).err;
  };
  for (const char* price : {"0 EUR", "-650 EUR"}) {
    const std::string err = refused_price(price);
    EXPECT_NE(err.find("/p.json:3:43: error: \"price\""), std::string::npos) << err;
    EXPECT_EQ(count_of(err, "error: "), 1) << err;
  }
  EXPECT_NE(refused_price("0 EUR").find("must be greater than 0"), std::string::npos);
  EXPECT_NE(refused_price("0 EUR").find("hint: "), std::string::npos);
  EXPECT_NE(refused_price("650 euro").find("hint: "), std::string::npos);
}

TEST_F(BadInput, EveryFaultOfAFileIsReportedAtOnce) {
  const CommandResult result = refused_scenario(R"({
  "question": 3,
  "model": {"id": "llama-3.3-7b", "quantisation": "Q4_K_N", "kv": "f33"},
  "workload": {"users": -1, "context": 0, "propmt": 4},
  "engine": {"name": "lama.cpp"},
  "cluster": {"nodes": [{"host": "epyc", "devices": ["rtx-309", 3], "ram": "64", "psu_count": 1.5}], "rdma": "yes"},
  "site": {"circuit": "eu-17a", "busy_hours_per_day": 25, "room": "22"},
  "size": {"budget": 3500, "rank_by": "fun"},
  "claims": [{"statement": "s", "value": true, "with": 3}],
  "colour": "red"
})");
  EXPECT_EQ(count_of(result.err, ": error: "), 22) << result.err;
  const std::regex place("/s\\.json:[0-9]+:[0-9]+: error: ");
  EXPECT_EQ(std::distance(std::sregex_iterator(result.err.begin(), result.err.end(), place), std::sregex_iterator()),
            22);
}

TEST_F(BadInput, FiftyThousandUnknownKeysAreCounted) {
  std::string text = "{";
  for (int i = 0; i < 50'000; ++i) text += "\"k" + std::to_string(i) + "\": 0,\n";
  const CommandResult result = refused_scenario(text + "\"model\": {\"id\": \"llama-3.3-70b\"}}");
  EXPECT_EQ(count_of(result.err, ": error: "), 100) << "as many as are read";
  EXPECT_TRUE(result.err.ends_with("... and 49900 more\n"));
}

TEST_F(BadInput, FiftyThousandUnknownCardsAreCounted) {
  std::string cards = "[\"x\"";
  for (int i = 0; i < 50'000; ++i) cards += ",\"x\"";
  const CommandResult result = refused_change("[\"rtx-3090\", \"rtx-3090\", \"rtx-3090\"]", cards + "]");
  EXPECT_NE(result.err.find("no profile has the id \"x\""), std::string::npos);
}

TEST_F(BadInput, PlacingOnNoMachineAtAll) {
  const CommandResult result = refused_scenario("{\"model\": {\"id\": \"llama-3.3-70b\"}}");
  EXPECT_NE(result.err.find("cluster"), std::string::npos) << result.err;
}

TEST_F(BadInput, WhatTheCommandLineDoesNotKnow) {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{},
                                                    {"sizze"},
                                                    {"size", "--modle", "x"},
                                                    {"place"},
                                                    {"profiles"},
                                                    {"size", "--show", "0"}}) {
    const CommandResult result = run_oblea(arguments);
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_NE(result.err + result.out, "");
  }
}

TEST_F(BadInput, ALibraryThatIsNotThere) {
  EXPECT_NE(refused({"size", "--model", "llama-3.3-70b", "--library", folder.path("none")}).err.find("cannot list"),
            std::string::npos);
  EXPECT_NE(refused({"size", "--model", "llama-3.3-70b", "--models", folder.path("none")}).err.find("cannot list"),
            std::string::npos);
  EXPECT_NE(refused({"size", "--model", "llama-3.3-70b", "--profile", folder.path("none")}).err.find("cannot open"),
            std::string::npos);
}

// ---- the environment's faults: exit code 3 ----

TEST(FullDisk, IsSaidWithExitCode3) {
  const TemporaryFolder folder;
  const std::string good = folder.write("s.json", kGood);
  for (const char* flag : {"--json", "--csv"}) {
    const CommandResult result = run_oblea({"place", good, flag, "/dev/full"});
    EXPECT_EQ(result.exit_code, 3) << result.err;
    EXPECT_NE(result.err.find("/dev/full: error: cannot write: No space left on device"), std::string::npos)
        << result.err;
  }
  EXPECT_EQ(test::run_command({"sh", "-c", std::string(OBLEA_BINARY) + " place " + good + " > /dev/full"}).exit_code,
            3);
}

TEST(FullDisk, AFolderThatIsNotThereIsSaidWithExitCode3) {
  const TemporaryFolder folder;
  const std::string good = folder.write("s.json", kGood);
  EXPECT_EQ(run_oblea({"place", good, "--json", folder.path("none/x.json")}).exit_code, 3);
  EXPECT_EQ(folder.count_entries(), 1u);
}

TEST(Reports, OfTheProgramAreValidAndWhole) {
  const TemporaryFolder folder;
  const std::string good = folder.write("s.json", kGood);
  const std::string old = folder.write("r.json", std::string(1 << 20, 'x'));
  EXPECT_EQ(run_oblea({"place", good, "--json", old}).exit_code, 0);
  EXPECT_EQ(test::read_file(old).substr(0, 16), "{\n  \"format\": 1,");
  EXPECT_EQ(run_oblea({"place", good, "--json", folder.path("again.json")}).exit_code, 0);
  EXPECT_EQ(test::read_file(old), test::read_file(folder.path("again.json")))
      << "the same question gives the same bytes";
}

}  // namespace
}  // namespace oblea
