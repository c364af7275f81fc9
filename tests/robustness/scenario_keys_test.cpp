// Whatever key of a scenario is missing or of the wrong kind, the reader answers: a scenario, or faults with places.
#include <filesystem>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "io/scenario_file.hpp"
#include "support/repository.hpp"
#include "support/temporary_folder.hpp"

namespace oblea {
namespace {

using Json = nlohmann::json;

const char* kWrong[] = {"null", "-1", "1e300", "\"x\"", "\"\"", "[]", "[[1]]", "{}", "{\"x\": 1}", "true"};

// "/claims/2/with" and "/claims/3/with" are one kind of place.
std::string kind_of(const std::string& pointer) {
  std::string kind;
  for (const char c : pointer) kind += c >= '0' && c <= '9' ? '#' : c;
  return kind;
}

void pointers_of(const Json& value, const Json::json_pointer& at, std::vector<Json::json_pointer>& all) {
  if (!at.empty()) all.push_back(at);
  if (value.is_object()) {
    for (const auto& [key, member] : value.items()) pointers_of(member, at / key, all);
  } else if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i) pointers_of(value[i], at / i, all);
  }
}

class ScenarioKeys : public testing::Test {
 protected:
  // Beside the others, which it may extend or take files from.
  void expect_answer(const Json& scenario, const std::string& what) {
    Diagnostics warnings;
    const Result<Scenario> read =
        read_scenario(folder_.write("scenario.json", scenario.dump()), {}, test::repository_library(),
                      test::repository_path("scenarios/models"), warnings);
    answers_ += 1;
    if (read) return;
    faults_ += 1;
    EXPECT_TRUE(has_errors(read.error())) << what;
  }

  test::TemporaryFolder folder_;
  int answers_ = 0;
  int faults_ = 0;
};

TEST_F(ScenarioKeys, MissingOrOfTheWrongKindAreFaultsNotCrashes) {
  std::set<std::string> seen;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(test::repository_path("scenarios"))) {
    const std::string path = entry.path().string();
    if (!path.ends_with(".json") || path.find("/models/") != std::string::npos) continue;
    Json scenario = Json::parse(test::read_file(path));
    scenario.erase("extends");
    std::vector<Json::json_pointer> pointers;
    pointers_of(scenario, Json::json_pointer(), pointers);
    for (const Json::json_pointer& at : pointers) {
      if (!seen.insert(kind_of(at.to_string())).second) continue;
      const std::string what = path + at.to_string();
      Json without = scenario;
      Json& parent = without[at.parent_pointer()];
      if (parent.is_object())
        parent.erase(at.back());
      else
        parent.erase(std::stoul(at.back()));
      expect_answer(without, what);
      for (const char* wrong : kWrong) {
        Json changed = scenario;
        changed[at] = Json::parse(wrong);
        expect_answer(changed, what + " = " + wrong);
      }
    }
  }
  EXPECT_GT(answers_, 1000);
  EXPECT_GT(faults_, answers_ / 4);
}

}  // namespace
}  // namespace oblea
