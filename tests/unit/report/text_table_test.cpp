#include "report/text_table.hpp"

#include <gtest/gtest.h>

namespace oblea {
namespace {

TEST(TextTable, LinesColumnsUpAndSetsNumbersToTheRight) {
  TextTable table({"part", ">EUR", "note"});
  table.add({"card", "1,300", "used"});
  table.add({"power supply", "9", ""});
  EXPECT_EQ(table.print(0),
            "part            EUR  note\n"
            "card          1,300  used\n"
            "power supply      9\n");
}

TEST(TextTable, CountsLettersNotBytes) {
  TextTable table({"a", "b"});
  table.add({"größe", "x"});
  table.add({"size5", "x"});
  EXPECT_EQ(table.print(0), "a      b\ngröße  x\nsize5  x\n");
}

TEST(TextTable, FillsMissingCellsAndDropsTheRest) {
  TextTable table({"a", "b"});
  table.add({"1"});
  table.add({"1", "2", "3"});
  EXPECT_EQ(table.print(1), " a  b\n 1\n 1  2\n");
}

TEST(TextTable, WithoutRowsIsItsHeadings) {
  const TextTable table({"a", ">b"});
  EXPECT_TRUE(table.empty());
  EXPECT_EQ(table.print(0), "a  b\n");
}

TEST(TextTable, LetsNoCellSteerTheTerminal) {
  TextTable table({"a"});
  table.add({"\x1b[2Jx\ny"});
  EXPECT_EQ(table.print(0), "a\n?[2Jx?y\n");
}

TEST(WrapText, BreaksAtSpacesAndIndentsEveryLine) {
  EXPECT_EQ(wrap_text("one two three four", 12, 2), "  one two\n  three four\n");
  EXPECT_EQ(wrap_text("  spaced   out ", 40, 0), "spaced out\n");
  EXPECT_EQ(wrap_text("", 40, 2), "");
}

TEST(WrapText, ALongWordHasALineOfItsOwn) {
  EXPECT_EQ(wrap_text("a " + std::string(30, 'x') + " b", 10, 0), "a\n" + std::string(30, 'x') + "\nb\n");
}

TEST(WrapText, ALineMayReachTheWidth) {
  EXPECT_EQ(wrap_text("abcd efghi", 10, 0), "abcd efghi\n");
  EXPECT_EQ(wrap_text("abcd efghij", 10, 0), "abcd\nefghij\n");
}

TEST(WrapText, LetsNothingSteerTheTerminal) { EXPECT_EQ(wrap_text("\x1b]0;x\x07 y", 40, 0), "?]0;x? y\n"); }

}  // namespace
}  // namespace oblea
