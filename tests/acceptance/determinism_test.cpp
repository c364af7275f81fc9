// Same question, same bytes: every scenario as text, JSON, CSV and timeline, under other locales, time zones, folders,
// environments, address layouts and loads of the machine.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/repository.hpp"
#include "support/run_command.hpp"
#include "support/temporary_folder.hpp"

namespace oblea {
namespace {

using Json = nlohmann::json;

struct Question {
  std::string path;
  std::vector<std::string> words;  // command and scenario
};

std::vector<Question> questions() {
  std::vector<Question> all;
  for (const char* folder : {"homelab", "wafer", "immersion"}) {
    for (const auto& entry :
         std::filesystem::directory_iterator(test::repository_path(std::string("scenarios/") + folder))) {
      if (entry.path().extension() != ".json") continue;
      const std::string path = entry.path().string();
      const Json json = Json::parse(test::read_file(path));
      if (json.contains("host")) {
        all.push_back({path, {"size", "--have", path, "--budget", "1500 EUR", "--model", "llama-3.3-70b"}});
        continue;
      }
      all.push_back({path, {json.contains("traffic") ? "simulate" : json.contains("size") ? "size" : "place", path}});
    }
  }
  std::sort(all.begin(), all.end(),
            [](const Question& a, const Question& b) { return std::tie(a.path, a.words) < std::tie(b.path, b.words); });
  return all;
}

struct Answer {
  int exit_code = -1;
  std::string text, json, csv, timeline;
  bool operator==(const Answer&) const = default;
};

// `around`: words before the command, such as "env TZ=UTC".
Answer ask(const Question& question, std::vector<std::string> around) {
  const test::TemporaryFolder folder;
  std::vector<std::string> words = std::move(around);
  words.push_back(OBLEA_BINARY);
  words.insert(words.end(), question.words.begin(), question.words.end());
  words.insert(words.end(), {"--json", folder.path("a.json"), "--csv", folder.path("a.csv")});
  const bool runs = question.words.front() == "simulate";
  if (runs) words.insert(words.end(), {"--timeline", folder.path("a.trace")});
  const test::CommandResult result = test::run_command(words);
  EXPECT_EQ(result.err, "");
  return {result.exit_code, result.out, test::read_file(folder.path("a.json")), test::read_file(folder.path("a.csv")),
          runs ? test::read_file(folder.path("a.trace")) : ""};
}

void expect_same_everywhere(const std::vector<std::vector<std::string>>& surroundings) {
  const std::vector<Question> all = questions();
  ASSERT_GE(all.size(), 9u);
  for (const Question& question : all) {
    const Answer first = ask(question, {});
    EXPECT_EQ(first.exit_code, 0) << question.path;
    EXPECT_FALSE(first.text.empty() || first.json.empty() || first.csv.empty()) << question.path;
    for (const std::vector<std::string>& around : surroundings) {
      EXPECT_TRUE(ask(question, around) == first)
          << question.words.front() << " " << question.path << " differs under " << around.back().substr(0, 100);
    }
  }
}

TEST(Determinism, SettingsOfTheUserChangeNoByte) {
  expect_same_everywhere({
      {"env", "-i", "-C", "/", "LC_ALL=de_DE.UTF-8", "TZ=Asia/Kathmandu"},
      {"env", "-C", "/tmp", "LANG=tr_TR.UTF-8", "TZ=America/St_Johns", "COLUMNS=20",
       "FILLER=" + std::string(90000, 'x')},
  });
}

TEST(Determinism, AddressesChangeNoByte) {
  if (test::run_command({"setarch", "-R", "true"}).exit_code != 0)
    GTEST_SKIP() << "setarch -R is not permitted here: addresses stay random";
  expect_same_everywhere({{"setarch", "-R"}});
}

// Processes that want every processor, at the lowest priority, until this goes.
class BusyMachine {
 public:
  BusyMachine() {
    for (int i = 0; i < 4; ++i) {
      const pid_t child = ::fork();
      if (child == 0) {
        if (::nice(19) == -1) ::_exit(1);
        for (volatile unsigned turns = 0;; ++turns) {
        }
      }
      children_.push_back(child);
    }
  }
  ~BusyMachine() {
    for (const pid_t child : children_) {
      ::kill(child, SIGKILL);
      ::waitpid(child, nullptr, 0);
    }
  }

 private:
  std::vector<pid_t> children_;
};

// A simulator was found to add its own look-up time to its clock (https://github.com/sgl-project/sglang/issues/39042):
// no answer may depend on how busy the machine is, or on how much processor the run gets.
TEST(Determinism, ABusyMachineChangesNoByte) {
  const std::string path = test::repository_path("scenarios/homelab/serve-four-users.json");
  const Question question{path, {"simulate", path}};
  const Answer calm = ask(question, {});
  const BusyMachine busy;
  EXPECT_TRUE(ask(question, {"nice", "-n", "19"}) == calm);
}

}  // namespace
}  // namespace oblea
