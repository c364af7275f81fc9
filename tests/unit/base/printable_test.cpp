#include "base/printable.hpp"

#include <gtest/gtest.h>

namespace oblea {
namespace {

TEST(Printable, KeepsLettersOfEveryLanguage) { EXPECT_EQ(printable("3500 €, größer, 日本"), "3500 €, größer, 日本"); }

TEST(Printable, TakesTheTeethOutOfControlCharacters) {
  EXPECT_EQ(printable("a\x1b[31mred\x07\x7f"), "a?[31mred??");
  EXPECT_EQ(printable("a\tb\nc\r"), "a b?c?");
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a?b");
  // U+009B is what ESC [ is in eight bits.
  EXPECT_EQ(printable("x\xC2\x9B"
                      "31m"),
            "x?31m");
  EXPECT_EQ(printable("\xC2\xA0"), "\xC2\xA0");
}

TEST(Printable, ShowsBytesThatAreNoLetterAsSuch) {
  EXPECT_EQ(printable("a\xff"
                      "b\x9b"
                      "31m"),
            "a?b?31m");
  EXPECT_EQ(printable("\xE2\x82"), "??");
  EXPECT_EQ(printable("\xC0\xAF"), "??");
  EXPECT_EQ(printable("\xE2\x82x"), "??x");
}

TEST(Printable, KeepsTheDirectionOfWriting) {
  EXPECT_EQ(printable("model\xE2\x80\xAE"
                      "fugg.exe"),
            "model?fugg.exe");  // U+202E
  EXPECT_EQ(printable("\xE2\x81\xA6"
                      "a\xE2\x81\xA9"),
            "?a?");  // U+2066, U+2069
  EXPECT_EQ(printable("a\xE2\x80\xA8"
                      "b"),
            "a?b");  // U+2028 breaks a line
  EXPECT_EQ(printable("\xE2\x80\xA7\xE2\x80\xAF"), "\xE2\x80\xA7\xE2\x80\xAF");
}

TEST(Printable, CountsLettersNotBytes) {
  EXPECT_EQ(count_letters("3500 €"), 6u);
  EXPECT_EQ(count_letters(""), 0u);
}

TEST(Printable, CutsBetweenTwoLetters) {
  EXPECT_EQ(cut_text("abc", 3), "abc");
  EXPECT_EQ(cut_text("abcd", 3), "abc...");
  EXPECT_EQ(cut_text("ab€", 3), "ab...");
  EXPECT_EQ(cut_text("ab€", 5), "ab€");
}

}  // namespace
}  // namespace oblea
