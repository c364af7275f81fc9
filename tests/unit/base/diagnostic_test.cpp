#include "base/diagnostic.hpp"

#include <sstream>

#include <gtest/gtest.h>

#include "base/limits.hpp"

namespace oblea {
namespace {

Diagnostic fault(std::string line, int column, int length = 1) {
  return {Severity::error, {"a.json", 12, column, length, std::move(line)}, "wrong", ""};
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(PrintDiagnostic, TheExampleOfTheHeader) {
  const Diagnostic d{Severity::error,
                     {"scenario.json", 12, 5, 8, "    \"bugdet\": \"3500 EUR\","},
                     "unknown key \"bugdet\"",
                     "did you mean \"budget\"?"};
  EXPECT_EQ(print_diagnostic(d),
            "scenario.json:12:5: error: unknown key \"bugdet\"\n"
            "      \"bugdet\": \"3500 EUR\",\n"
            "      ^~~~~~~~\n"
            "  hint: did you mean \"budget\"?\n");
}

TEST(PrintDiagnostic, PutsTheCaretUnderTheFirstAndTheLastColumn) {
  EXPECT_EQ(lines_of(print_diagnostic(fault("abc", 1)))[2], "  ^");
  EXPECT_EQ(lines_of(print_diagnostic(fault("abc", 3)))[2], "    ^");
  EXPECT_EQ(lines_of(print_diagnostic(fault("abc", 4)))[2], "     ^") << "at the end of the line";
  EXPECT_EQ(lines_of(print_diagnostic(fault("abc", 90)))[2], "     ^") << "past it: at the end";
}

TEST(PrintDiagnostic, ATabIsOneSpaceSoThatTheCaretStaysInPlace) {
  const auto lines = lines_of(print_diagnostic(fault("\t\t\"x\": 1", 3, 3)));
  EXPECT_EQ(lines[1], "    \"x\": 1");
  EXPECT_EQ(lines[2], "    ^~~");
}

// The € sign is three bytes and one column of the screen.
TEST(PrintDiagnostic, CountsLettersBeforeTheCaretNotBytes) {
  const auto lines = lines_of(print_diagnostic(fault("\"€€\": tru", 11, 3)));
  EXPECT_EQ(lines[1], "  \"€€\": tru");
  EXPECT_EQ(lines[2], "        ^~~");
  EXPECT_EQ(lines_of(print_diagnostic(fault("\"€€\"", 1, 8)))[2], "  ^~~~");
}

TEST(PrintDiagnostic, LetsNothingSteerTheTerminal) {
  Diagnostic d = fault("\x1b[2J\x07", 1);
  d.message = "unknown key \"\x1b]0;owned\x07\"";
  d.hint = "\x1b[31m";
  d.place.file = "a\x1b.json";
  const std::string text = print_diagnostic(d);
  for (const char c : text) EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20) << static_cast<int>(c);
}

TEST(PrintDiagnostic, CutsAVeryLongLineAroundTheCaret) {
  std::string line(5000, 'a');
  line[3000] = 'X';
  const auto lines = lines_of(print_diagnostic(fault(line, 3001)));
  EXPECT_EQ(lines[0], "a.json:12:3001: error: wrong");
  EXPECT_LE(lines[1].size(), 110u);
  EXPECT_EQ(lines[1].at(lines[2].find('^')), 'X');
}

TEST(PrintDiagnostic, CutsBetweenTwoLetters) {
  std::string line = "a";
  for (int i = 0; i < 200; ++i) line += "€";
  for (int column = 1; column <= static_cast<int>(line.size()); column += 3) {
    const std::string shown = lines_of(print_diagnostic(fault(line, column)))[1];
    EXPECT_NE(static_cast<unsigned char>(shown[2]) & 0xC0, 0x80) << column;
    EXPECT_EQ(static_cast<unsigned char>(shown.back()), 0xAC) << column;
  }
}

// A file in one line: `source_line` starts where the text before it was left out, the column is that of the file.
TEST(PrintDiagnostic, KnowsWhatWasLeftOutBeforeTheLine) {
  Diagnostic d = fault("aaXaa", 4003);
  d.place.cut = 4000;
  const auto lines = lines_of(print_diagnostic(d));
  EXPECT_EQ(lines[0], "a.json:12:4003: error: wrong");
  EXPECT_EQ(lines[1].at(lines[2].find('^')), 'X');
}

TEST(PrintDiagnostic, TheUnderlineEndsWithTheLineAndAtForty) {
  EXPECT_EQ(lines_of(print_diagnostic(fault("abcdef", 4, 1000)))[2], "     ^~~");
  EXPECT_EQ(lines_of(print_diagnostic(fault(std::string(80, 'a'), 1, 80)))[2], "  ^" + std::string(39, '~'));
  EXPECT_EQ(lines_of(print_diagnostic(fault("abc", 1, 0)))[2], "  ^");
}

TEST(PrintDiagnostic, SaysAsMuchAsItKnowsOfThePlace) {
  Diagnostic d;
  d.message = "m";
  EXPECT_EQ(print_diagnostic(d), "error: m\n");
  d.severity = Severity::warning;
  d.place.file = "f";
  EXPECT_EQ(print_diagnostic(d), "f: warning: m\n");
}

TEST(PrintDiagnostic, AMessageOfAMegabyteIsCut) {
  Diagnostic d;
  d.message = std::string(1 << 20, 'k');
  EXPECT_LT(print_diagnostic(d).size(), 1000u);
}

TEST(PrintDiagnostics, CountsWhatItDoesNotPrint) {
  Diagnostics many(kMaxDiagnostics, fault("x", 1));
  EXPECT_EQ(print_diagnostics(many).find("more"), std::string::npos);
  many.push_back(fault("x", 1));
  many.push_back(fault("x", 1));
  const std::string text = print_diagnostics(many);
  EXPECT_TRUE(text.ends_with("... and 2 more\n"));
}

TEST(HasErrors, IsFalseForWarningsAlone) {
  Diagnostics list;
  EXPECT_FALSE(has_errors(list));
  list.push_back({Severity::warning, {}, "w", ""});
  EXPECT_FALSE(has_errors(list));
  list.push_back({Severity::error, {}, "e", ""});
  EXPECT_TRUE(has_errors(list));
}

}  // namespace
}  // namespace oblea
