#include "study/print_machine.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/fake_machine.hpp"
#include "support/repository.hpp"

namespace oblea {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string print(const test::FakeMachine& machine) {
  const FoundMachine found = machine.find();
  return print_machine(found, match_machine(found, test::repository_library()));
}

TEST(PrintMachine, ALinkSaysWhatItCanDoAndWhatItDoesNow) {
  EXPECT_EQ(print_link({4, 4, 16, 16}), "gen4 x16");
  EXPECT_EQ(print_link({1, 4, 16, 16}), "gen4 x16 (now gen1)");
  EXPECT_EQ(print_link({1, 3, 4, 16}), "gen3 x4 (now gen1, of x16)");
  EXPECT_EQ(print_link({}), "");
}

TEST(PrintMachine, ShowsWhatWasFoundMatchedAssumedAndNotSeen) {
  test::FakeMachine machine;
  make_two_3090(machine);
  const std::string text = print(machine);
  EXPECT_THAT(text, HasSubstr("desk: Ubuntu 24.04.1 LTS, NVIDIA driver 550.54.14"));
  EXPECT_THAT(text, HasSubstr("2x NVIDIA GeForce RTX 3090  "));
  EXPECT_THAT(text, HasSubstr("24.0 GiB, gen4 x8 (now gen1), limit 280 W of 350 W"));
  EXPECT_THAT(text, HasSubstr("am4-x570-ryzen-5900x"));
  EXPECT_THAT(text, HasSubstr("2.5 Gb/s"));
  EXPECT_THAT(text, HasSubstr("Assumed\n"));
  EXPECT_THAT(text, HasSubstr("Not seen\n"));
  EXPECT_THAT(text, Not(HasSubstr("No GPU"))) << text;
}

TEST(PrintMachine, AMissingProfileSaysHowToWriteOne) {
  test::FakeMachine machine;
  make_two_3090(machine);
  machine.nvml("gpu NVIDIA GeForce RTX 4060 Ti|8585740288|00000000:0A:00.0|280310DE|1|4|8|8\n");
  const std::string text = print(machine);
  EXPECT_THAT(text, HasSubstr("start from hardware-profiles/devices/rtx-4060-ti-16.json"));
  EXPECT_THAT(text, HasSubstr("oblea profiles check"));
  EXPECT_THAT(text, HasSubstr("NVIDIA GeForce RTX 4060 Ti is left out"));
}

TEST(PrintMachine, HostileNamesAreShownHarmless) {
  test::FakeMachine machine;
  machine.cpu("AMD Ryzen 5 5600\x1b[2J", "AuthenticAMD", 25, 33, 1, 6)
      .memory(31)
      .nvml("gpu \x1b]0;x\x07 RTX 3090|25769803776|00000000:0A:00.0|220410DE|1|4|8|16\n");
  const std::string text = print(machine);
  for (const char c : text) EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20) << text;
}

}  // namespace
}  // namespace oblea
