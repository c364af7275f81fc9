// Every file of scenarios/ answers its question: a scenario with what it describes, a machine as the box at hand.
#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/json_schema.hpp"
#include "support/repository.hpp"
#include "support/run_command.hpp"
#include "support/temporary_folder.hpp"

namespace oblea {
namespace {

using Json = nlohmann::json;

std::vector<std::string> scenario_files() {
  std::vector<std::string> paths;
  for (const char* folder : {"homelab", "wafer", "immersion"}) {
    for (const auto& entry :
         std::filesystem::directory_iterator(test::repository_path(std::string("scenarios/") + folder))) {
      if (entry.path().extension() == ".json") paths.push_back(entry.path().string());
    }
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::vector<std::string> command_for(const std::string& path, const Json& json) {
  if (json.contains("host")) return {"size", "--have", path, "--budget", "1500 EUR", "--model", "llama-3.3-70b"};
  return {json.contains("traffic") ? "simulate" : json.contains("size") ? "size" : "place", path};
}

TEST(Scenarios, EachIsAnswered) {
  const std::vector<std::string> paths = scenario_files();
  ASSERT_GE(paths.size(), 9u);
  for (const std::string& path : paths) {
    const Json json = Json::parse(test::read_file(path));
    std::vector<std::string> words = command_for(path, json);
    const test::CommandResult table = test::run_oblea(words);
    EXPECT_EQ(table.exit_code, 0) << path << "\n" << table.err;
    EXPECT_EQ(table.err, "") << path << ": the repository's own files give no warnings";
    words.insert(words.end(), {"--json", "-"});
    const test::CommandResult report = test::run_oblea(words);
    ASSERT_EQ(report.exit_code, 0) << path;
    EXPECT_EQ(test::schema_faults("report", report.out), "") << path;
    const Json answer = Json::parse(report.out);
    EXPECT_FALSE(answer["verdicts"].empty()) << path;
    if (json.contains("question")) {
      EXPECT_EQ(answer["question"], json["question"]) << path;
    }
    for (const Json& claim : answer["claims"]) {
      EXPECT_NE(claim["outcome"], "unknown")
          << path << ": \"" << claim["statement"].get<std::string>() << "\" names a figure that is not computed";
    }
  }
}

TEST(Scenarios, EachStartsWithItsQuestion) {
  for (const std::string& path : scenario_files()) {
    const Json json = Json::parse(test::read_file(path));
    if (json.contains("host")) continue;  // a machine
    ASSERT_TRUE(json.contains("question")) << path;
    EXPECT_TRUE(json["question"].get<std::string>().ends_with("?")) << path;
  }
}

TEST(Scenarios, TheListInTheReadmeIsWhole) {
  const std::string readme = test::read_file(test::repository_path("scenarios/README.md"));
  for (const std::string& path : scenario_files()) {
    const std::string name = std::filesystem::path(path).parent_path().filename().string() + "/" +
                             std::filesystem::path(path).filename().string();
    EXPECT_NE(readme.find(name), std::string::npos) << name << " is not in scenarios/README.md";
  }
}

}  // namespace
}  // namespace oblea
