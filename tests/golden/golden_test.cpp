// Whole answers as text, as they were read and found right. "..." stands for lines that change with every profile.
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "acceptance/transcript.hpp"
#include "support/repository.hpp"
#include "support/run_command.hpp"
#include "support/temporary_folder.hpp"

namespace oblea {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// Wafers rest on no fit, so this answer changes only when somebody means it to.
TEST(Golden, PlaceKimiK3) {
  const std::string shown = test::read_file(test::repository_path("tests/golden/place-kimi-k3.txt"));
  ASSERT_FALSE(shown.empty());
  const test::CommandResult result = test::run_oblea({"place", test::repository_path("scenarios/wafer/kimi-k3.json")});
  if (test::output_matches(lines_of(shown), result.out)) return;
  const std::string binary = OBLEA_BINARY;
  const std::string path = binary.substr(0, binary.rfind('/') + 1) + "place-kimi-k3.new.txt";
  std::ofstream(path, std::ios::binary) << result.out;
  ADD_FAILURE() << "tests/golden/place-kimi-k3.txt differs from what is printed now, which is in " << path;
}

}  // namespace
}  // namespace oblea
