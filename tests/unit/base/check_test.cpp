#include "base/check.hpp"

#include <gtest/gtest.h>

namespace oblea {
namespace {

TEST(CheckDeathTest, AFalseConditionEndsTheRunAndSaysHowToRepeatIt) {
  EXPECT_DEATH(
      {
        set_check_context(42, "00ff00ff00ff00ff");
        OBLEA_CHECK(1 + 1 == 3, "arithmetic still works");
      },
      "internal error.*arithmetic still works.*1 \\+ 1 == 3(.|\n)*check_test.cpp:[0-9]+.*seed 42, input "
      "00ff00ff00ff00ff");
}

TEST(CheckDeathTest, ALongHashIsCutNotOverrun) {
  EXPECT_DEATH(
      {
        set_check_context(1, std::string(1000, 'h').c_str());
        OBLEA_CHECK(false, "x");
      },
      "input h{31}\n");
}

TEST(Check, ATrueConditionDoesNothing) {
  int evaluated = 0;
  OBLEA_CHECK(++evaluated == 1, "evaluated once, in every build");
  EXPECT_EQ(evaluated, 1);
}

}  // namespace
}  // namespace oblea
