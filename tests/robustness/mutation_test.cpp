// Random damage to a scenario file: whatever it is, the reader answers, soon, with a scenario or with faults.
#include <chrono>

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "io/read_profiles.hpp"
#include "io/scenario_file.hpp"
#include "support/temporary_folder.hpp"

namespace oblea {
namespace {

constexpr std::uint64_t kSeed = 20261130;
constexpr int kMutations = 2000;
constexpr double kSlowest = 1.0;  // seconds

const char* kScenario = R"({
  "question": "Größe?", "extends": "base.json",
  "model": {"id": "llama-3.3-70b", "quantisation": "Q4_K_M", "kv": "q8_0"},
  "workload": {"users": 2, "context": 8192, "prompt": 4096},
  "cluster": {"nodes": [{"host": "epyc-7302-romed8-2t-open-frame", "devices": ["rtx-3090", "rtx-3090"], "ram": "64 GiB",
                         "psu": "psu-1600-gold", "power_limit": "280 W", "nic": "nic-x520"}], "rdma": false},
  "site": {"circuit": "eu-16a", "busy_hours_per_day": 4.5, "room": "22 degC"},
  "size": {"budget": "3500 EUR", "quantisations": ["Q4_K_M", "IQ2_M"], "devices": ["rtx-3090"]},
  "claims": [{"statement": "s", "metric": "fits", "value": true, "with": {"model.quantisation": "IQ2_M"}},
             {"statement": "t", "metric": "x", "relation": "about", "value": 1e3, "tolerance": 0.1}]
}
)";

// Pieces that are likelier to hurt than random bytes.
const std::vector<std::string> kPieces = {"{",
                                          "}",
                                          "[",
                                          "]",
                                          ",",
                                          ":",
                                          "\"",
                                          "\\",
                                          "\\u0000",
                                          "\\ud800",
                                          "null",
                                          "true",
                                          "-",
                                          "-1",
                                          "0",
                                          "1e308",
                                          "1e999",
                                          "NaN",
                                          "9007199254740993",
                                          "\n",
                                          "\t",
                                          std::string(1, '\0'),
                                          "\x1b[2J",
                                          "\xff",
                                          "\xe2\x82",
                                          "\"\": 0,",
                                          "\"model\":",
                                          "\"extends\": \"s.json\",",
                                          "[[[[[[[[[[[[[[[[[[[[",
                                          "\"claims\": [",
                                          "\"with\": {\"\": 1}",
                                          "\"with\": {\"claims\": 3}",
                                          "999999999999999999999999",
                                          " GiB",
                                          " EUR"};

class Mutator {
 public:
  explicit Mutator(std::uint64_t number) : stream_(make_random_stream(kSeed, "mutation " + std::to_string(number))) {}

  std::string mutate(std::string text) {
    const std::size_t edits = below(2) == 0 ? 1 : 1 + below(6);
    for (std::size_t i = 0; i < edits && !text.empty(); ++i) edit(text);
    return text;
  }

 private:
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(stream_() % n); }

  void edit(std::string& text) {
    const std::size_t at = below(text.size());
    const std::size_t length = 1 + below(std::min<std::size_t>(text.size() - at, 40));
    switch (below(8)) {
      case 0:
        text[at] = static_cast<char>(below(256));
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(at, kPieces[below(kPieces.size())]);
        break;
      case 3:
        text.replace(at, length, kPieces[below(kPieces.size())]);
        break;
      case 4:
        text.insert(below(text.size()), text.substr(at, length));
        break;
      case 5:
        text.resize(at);
        break;
      default:
        text[at] = static_cast<char>('0' + below(10));
        break;
    }
  }

  RandomStream stream_;
};

TEST(Mutations, NeverCrashTheReaderNorKeepItBusy) {
  const std::string root = OBLEA_SOURCE_DIRECTORY;
  const ProfileLibrary library = read_profile_library(root + "/hardware-profiles").value();
  const test::TemporaryFolder folder;
  folder.write("base.json", R"({"workload": {"output": 100}, "placement": {"split": "layer"}})");
  int read = 0;
  for (int number = 0; number < kMutations; ++number) {
    SCOPED_TRACE("seed " + std::to_string(kSeed) + ", mutation " + std::to_string(number));
    const std::string path =
        folder.write("s.json", number == 0 ? kScenario : Mutator(static_cast<std::uint64_t>(number)).mutate(kScenario));
    const auto start = std::chrono::steady_clock::now();
    Diagnostics warnings;
    const Result<Scenario> scenario = read_scenario(path, {}, library, root + "/scenarios/models", warnings);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    ASSERT_LT(seconds, kSlowest);
    ASSERT_TRUE(scenario || number > 0) << print_diagnostics(scenario.error());
    if (scenario) {
      ++read;
      continue;
    }
    ASSERT_TRUE(has_errors(scenario.error()));
    for (const Diagnostic& fault : scenario.error()) {
      EXPECT_FALSE(fault.message.empty());
      EXPECT_FALSE(fault.place.file.empty()) << fault.message;
    }
    for (const char c : print_diagnostics(scenario.error()))
      ASSERT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20);
  }
  // Damage to words inside strings leaves some readable; most must be noticed.
  EXPECT_GT(read, 10);
  EXPECT_LT(read, kMutations / 2);
}

}  // namespace
}  // namespace oblea
