// `oblea import machine` as a user meets it: on whatever runs the tests, and on made-up machines whose files then go
// into `size --have` and `place`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/fake_machine.hpp"
#include "support/json_schema.hpp"
#include "support/run_command.hpp"

namespace oblea {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;
using test::run_oblea;

TEST(ImportMachine, AnswersOnThisMachineWhateverItIs) {
  const test::CommandResult result = run_oblea({"import", "machine"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_THAT(result.out, HasSubstr("Not seen\n"));
  EXPECT_THAT(result.out, HasSubstr("power supply"));
  const Json json = Json::parse(run_oblea({"import", "machine", "--json"}).out);
  EXPECT_GE(json["found"]["cpu"]["threads"], 1);
  EXPECT_GT(json["found"]["memory"]["total_bytes"], 1e8);
  for (const char c : result.out) EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20) << int{c};
}

TEST(ImportMachine, TwoCardsGoFromImportToSizeAndPlace) {
  test::FakeMachine machine;
  make_two_3090(machine);
  const test::TemporaryFolder folder;
  const std::string box = folder.path("my-box.json");
  const test::CommandResult import =
      run_oblea({"import", "machine", "--root", machine.root(), "--nvml", machine.nvml_path(), "--out", box});
  ASSERT_EQ(import.exit_code, 0) << import.err;
  EXPECT_THAT(import.out, HasSubstr("2x NVIDIA GeForce RTX 3090"));
  EXPECT_THAT(import.out, HasSubstr("Wrote " + box));
  EXPECT_EQ(test::schema_faults("machine", test::read_file(box)), "");

  const test::CommandResult size =
      run_oblea({"size", "--have", box, "--budget", "1500 EUR", "--model", "llama-3.3-70b", "--json"});
  ASSERT_EQ(size.exit_code, 0) << size.err;
  EXPECT_FALSE(Json::parse(size.out)["builds"].empty());

  // Llama 3.3 70B in Q4_K_M has 42.5 GB = 39.6 GiB: it goes on 2 x 24 GiB with a short context.
  const std::string scenario = folder.write(
      "scenario.json",
      R"({"model": {"id": "llama-3.3-70b"}, "workload": {"context": 4096}, "cluster": {"nodes": ["my-box.json"]}})");
  const test::CommandResult place = run_oblea({"place", scenario, "--json", "--fail-on", "does-not-fit"});
  EXPECT_EQ(place.exit_code, 0) << place.err;
  const Json report = Json::parse(place.out);
  ASSERT_EQ(report["placement"].size(), 2u);
  for (const Json& device : report["placement"]) EXPECT_EQ(device["capacity_bytes"], 24 * 1073741824.0);
}

TEST(ImportMachine, AnEmptyTreeHasNoNodeToWrite) {
  const test::TemporaryFolder nothing;
  const std::string box = nothing.path("box.json");
  const test::CommandResult shown = run_oblea({"import", "machine", "--root", nothing.path()});
  EXPECT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("no /proc/cpuinfo"));
  const test::CommandResult result = run_oblea({"import", "machine", "--root", nothing.path(), "--out", box});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("no host profile is like this box"));
  EXPECT_FALSE(std::filesystem::exists(box));
}

TEST(ImportMachine, StandardOutputTakesOneOfThem) {
  test::FakeMachine machine;
  make_two_3090(machine);
  const test::CommandResult both =
      run_oblea({"import", "machine", "--root", machine.root(), "--out", "-", "--json", "-"});
  EXPECT_EQ(both.exit_code, 2);
  const test::CommandResult one = run_oblea({"import", "machine", "--root", machine.root(), "--out", "-"});
  EXPECT_EQ(one.exit_code, 0) << one.err;
  EXPECT_EQ(Json::parse(one.out)["host"], "am4-x570-ryzen-5900x");
}

TEST(ImportMachine, ADriverMismatchIsSaidAndTheRestIsRead) {
  test::FakeMachine machine;
  make_two_3090(machine);
  machine.nvml("init 18\n");
  const test::CommandResult result =
      run_oblea({"import", "machine", "--root", machine.root(), "--nvml", machine.nvml_path()});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("Driver/library version mismatch"));
  EXPECT_THAT(result.out, HasSubstr("rtx-3090")) << "by the PCI id";
}

TEST(ImportMachine, AFolderThatCannotBeWrittenIsTheEnvironmentsFault) {
  test::FakeMachine machine;
  make_two_3090(machine);
  const test::CommandResult result =
      run_oblea({"import", "machine", "--root", machine.root(), "--out", machine.root() + "/no/such/folder/box.json"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("no/such/folder"));
}

}  // namespace
}  // namespace oblea
