#include "io/fields.hpp"

#include <gtest/gtest.h>

#include "base/limits.hpp"

namespace oblea {
namespace {

// An object to read from, and what was noted on the way.
struct Reading {
  explicit Reading(const std::string& text)
      : document(JsonDocument::parse(text, "t.json").value()), reader(document, document.root(), "thing", faults) {}
  JsonDocument document;
  Diagnostics faults;
  ObjectReader reader;

  std::string messages() const {
    std::string text;
    for (const Diagnostic& d : faults) text += (text.empty() ? "" : "; ") + d.message;
    return text;
  }
};

TEST(ObjectReader, TakesEveryKindOfField) {
  Reading r(R"({"t": "words", "n": 1.5, "i": 7, "b": true, "q": "24 GiB", "c": "red", "l": ["a", "b"], "o": "one"})");
  EXPECT_EQ(r.reader.text("t"), "words");
  EXPECT_EQ(r.reader.number("n"), 1.5);
  EXPECT_EQ(r.reader.integer("i"), 7);
  EXPECT_TRUE(r.reader.boolean_or("b", false));
  EXPECT_EQ(r.reader.quantity("q", UnitKind::bytes), 24.0 * 1024 * 1024 * 1024);
  EXPECT_EQ(r.reader.choice("c", {"red", "green"}), "red");
  EXPECT_EQ(r.reader.texts("l"), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(r.reader.texts("o"), (std::vector<std::string>{"one"}));
  r.reader.finish();
  EXPECT_EQ(r.messages(), "");
}

TEST(ObjectReader, AMissingFieldIsNamedWithItsObject) {
  Reading r("{}");
  r.reader.text("t");
  r.reader.number("n");
  r.reader.integer("i");
  r.reader.quantity("q", UnitKind::bytes);
  r.reader.choice("c", {"red"});
  r.reader.sourced<Bytes>("s", UnitKind::bytes);
  r.reader.sourced_number("sn");
  r.reader.sourced_text("st");
  EXPECT_EQ(r.messages(),
            "thing lacks \"t\"; thing lacks \"n\"; thing lacks \"i\"; thing lacks \"q\"; thing lacks \"c\"; "
            "thing lacks \"s\"; thing lacks \"sn\"; thing lacks \"st\"");
}

TEST(ObjectReader, AnAbsentOptionalFieldIsItsDefaultAndNoFault) {
  for (const char* text : {"{}", R"({"a": null})"}) {
    Reading r(text);
    EXPECT_EQ(r.reader.text_or("a", "x"), "x");
    EXPECT_EQ(r.reader.number_or("a", 2), 2);
    EXPECT_EQ(r.reader.integer_or("a", 3), 3);
    EXPECT_TRUE(r.reader.boolean_or("a", true));
    EXPECT_EQ(r.reader.quantity_or("a", UnitKind::watts, 5), 5);
    EXPECT_EQ(r.reader.optional_quantity("a", UnitKind::watts), std::nullopt);
    EXPECT_EQ(r.reader.choice_or("a", {"x"}, "y"), "y");
    EXPECT_TRUE(r.reader.texts("a").empty());
    EXPECT_FALSE(r.reader.optional_sourced<Watts>("a", UnitKind::watts));
    EXPECT_FALSE(r.reader.optional_sourced_number("a"));
    EXPECT_FALSE(r.reader.optional_sourced_text("a"));
    EXPECT_FALSE(r.reader.has("a"));
    EXPECT_EQ(r.reader.optional("a"), nullptr);
    r.reader.finish();
    EXPECT_EQ(r.messages(), "") << text;
  }
}

TEST(ObjectReader, NullDoesNotFillARequiredField) {
  Reading r(R"({"a": null})");
  EXPECT_EQ(r.reader.required("a"), nullptr);
  EXPECT_EQ(r.messages(), "thing lacks \"a\"");
}

TEST(ObjectReader, AWrongKindSaysWhatIsThere) {
  Reading r(R"({"a": [1], "b": 3, "c": "x", "d": {}})");
  r.reader.text("b");
  r.reader.number("c");
  r.reader.integer("d");
  r.reader.boolean_or("c", true);
  r.reader.quantity("b", UnitKind::watts);
  r.reader.choice("a", {"x"});
  r.reader.texts("b");
  EXPECT_EQ(r.faults[0].message, "\"b\" must be a string, not a number");
  EXPECT_EQ(r.faults[1].message, "\"c\" must be a number, not a string");
  EXPECT_EQ(r.faults[2].message, "\"d\" must be a number, not an object");
  EXPECT_EQ(r.faults[3].message, "\"c\" must be true or false, not a string");
  EXPECT_NE(r.faults[4].message.find("with its unit in quotes, not a number"), std::string::npos);
  EXPECT_EQ(r.faults[5].message, "\"a\" must be a string, not a list");
  EXPECT_EQ(r.faults[6].message, "\"b\" must be a string or a list of strings, not a number");
  EXPECT_EQ(r.faults.size(), 7u) << r.messages();
}

TEST(ObjectReader, AWrongUnitComesWithTheRightSpelling) {
  Reading r(R"({"a": "24 gb", "b": "24", "c": "24 W"})");
  r.reader.quantity("a", UnitKind::bytes);
  r.reader.quantity("b", UnitKind::bytes);
  r.reader.quantity("c", UnitKind::bytes);
  ASSERT_EQ(r.faults.size(), 3u);
  EXPECT_NE(r.faults[0].hint.find("GiB"), std::string::npos) << print_diagnostics(r.faults);
  for (const Diagnostic& d : r.faults) {
    EXPECT_EQ(d.place.line, 1);
    EXPECT_FALSE(d.hint.empty()) << d.message;
  }
  EXPECT_EQ(r.faults[2].place.column, 32);
}

TEST(ObjectReader, ARangeSaysItsBoundInFull) {
  Reading r(R"({"a": 16777217, "b": -1, "c": 0, "d": "-5 W", "e": "0 W", "f": 0.5})");
  r.reader.integer("a", Range::between(1, 16777216));
  r.reader.number("b");
  r.reader.number("c", Range::positive());
  r.reader.quantity("d", UnitKind::watts, {});
  r.reader.quantity("e", UnitKind::watts);
  r.reader.integer("f");
  EXPECT_EQ(r.faults[0].message, "\"a\" is 16777217; it must be at most 16777216");
  EXPECT_EQ(r.faults[1].message, "\"b\" is -1; it must be at least 0");
  EXPECT_EQ(r.faults[2].message, "\"c\" is 0; it must be greater than 0");
  EXPECT_EQ(r.faults[3].message, "\"d\" is -5 W; it must be at least 0");
  EXPECT_EQ(r.faults[4].message, "\"e\" is 0 W; it must be greater than 0");
  EXPECT_EQ(r.faults[5].message, "\"f\" is 0.5; it must be a whole number");
}

TEST(ObjectReader, ARangeIncludesItsEnds) {
  Reading r(R"({"a": 1, "b": 16})");
  EXPECT_EQ(r.reader.integer("a", Range::between(1, 16)), 1);
  EXPECT_EQ(r.reader.integer("b", Range::between(1, 16)), 16);
  EXPECT_EQ(r.messages(), "");
}

// 2^53 is exact, and so is everything below; above, a double skips integers.
TEST(ObjectReader, AnIntegerEndsWhereDoublesSkip) {
  Reading r(R"({"a": 9007199254740992, "b": 9007199254740994, "c": -1e300})");
  EXPECT_EQ(r.reader.integer("a"), 9007199254740992);
  r.reader.integer("b");
  r.reader.integer("c", Range::any());
  EXPECT_EQ(r.faults.size(), 1u) << r.messages();
  EXPECT_EQ(r.faults[0].message, "\"b\" is 9007199254740994; it must be at most 9007199254740992");
}

TEST(ObjectReader, AnUnknownChoiceIsComparedWithTheKnownOnes) {
  Reading r(R"({"c": "gren"})");
  EXPECT_EQ(r.reader.choice_or("c", {"red", "green"}, "red"), "red");
  EXPECT_EQ(r.faults[0].message, "\"c\" is \"gren\", which is not known");
  EXPECT_EQ(r.faults[0].hint, "did you mean \"green\"?");
}

TEST(ObjectReader, AnUnknownKeyIsComparedWithTheAskedOnes) {
  Reading r("{\"budget\": 1,\n \"bugdet\": 2, \"$schema\": \"s\", \"note\": \"n\"}");
  r.reader.number("budget");
  r.reader.finish();
  ASSERT_EQ(r.faults.size(), 1u) << r.messages();
  EXPECT_EQ(r.faults[0].message, "unknown key \"bugdet\" in thing");
  EXPECT_EQ(r.faults[0].hint, "did you mean \"budget\"?");
  EXPECT_EQ(r.faults[0].place.line, 2);
  EXPECT_EQ(r.faults[0].place.column, 2);
  EXPECT_EQ(r.faults[0].place.length, 8);
}

TEST(ObjectReader, AllFaultsComeAtOnce) {
  Reading r(R"({"a": "x", "b": -1, "c": "3 kg", "colour": 1})");
  r.reader.number("a");
  r.reader.number("b");
  r.reader.quantity("c", UnitKind::watts);
  r.reader.text("d");
  r.reader.finish();
  EXPECT_EQ(r.faults.size(), 5u) << r.messages();
}

TEST(ObjectReader, WhatIsNoObjectIsOneFaultAndNotOneAField) {
  Reading r("[1, 2]");
  r.reader.text("a");
  r.reader.number("b");
  r.reader.finish();
  EXPECT_EQ(r.messages(), "thing must be an object, not a list");
}

TEST(ObjectReader, EmptyTextIsNoAnswer) {
  Reading r(R"({"a": "", "l": ["x", ""], "m": ["x", 3]})");
  r.reader.text("a");
  EXPECT_EQ(r.reader.texts("l").size(), 2u);
  r.reader.texts("m");
  EXPECT_EQ(r.messages(), "\"a\" is empty; \"l\" holds an empty text; \"m\" must be a string, not a number");
}

const char* kSourced =
    R"({"value": "350 W", "source": "datasheet", "date": "2026-02", "confidence": "review", "note": "n"})";

TEST(ObjectReader, ASourcedNumberBringsItsOrigin) {
  Reading r(std::string(R"({"tdp": )") + kSourced +
            R"(, "ports": {"value": 4, "source": "s", "date": "2026", "confidence": "measured"}})");
  const Sourced<Watts> tdp = r.reader.sourced<Watts>("tdp", UnitKind::watts);
  EXPECT_EQ(tdp.value.value(), 350);
  EXPECT_EQ(tdp.source.text, "datasheet");
  EXPECT_EQ(tdp.source.date, "2026-02");
  EXPECT_EQ(tdp.source.confidence, Confidence::review);
  EXPECT_EQ(r.reader.sourced_number("ports").value, 4);
  r.reader.finish();
  EXPECT_EQ(r.messages(), "");
}

TEST(ObjectReader, ABareNumberInAProfileAsksForItsSource) {
  Reading r(R"({"tdp": "350 W"})");
  r.reader.sourced<Watts>("tdp", UnitKind::watts);
  ASSERT_EQ(r.faults.size(), 1u);
  EXPECT_NE(r.faults[0].message.find("value, source, date and confidence"), std::string::npos);
  EXPECT_NE(r.faults[0].hint.find("estimate"), std::string::npos);
}

TEST(ObjectReader, EveryPartOfASourceIsAskedFor) {
  Reading r(R"({"tdp": {"sorce": "x", "confidence": "sure"}})");
  r.reader.sourced<Watts>("tdp", UnitKind::watts);
  EXPECT_EQ(r.messages(),
            "\"tdp\" lacks \"value\"; \"tdp\" lacks \"source\"; \"tdp\" lacks \"date\"; "
            "\"confidence\" is \"sure\", which is not known; unknown key \"sorce\" in \"tdp\"");
  EXPECT_EQ(r.faults.back().hint, "did you mean \"source\"?");
}

TEST(ObjectReader, ConfidenceNamesGoBothWays) {
  for (const Confidence c : {Confidence::measured, Confidence::datasheet, Confidence::review, Confidence::estimate}) {
    EXPECT_EQ(find_confidence(confidence_name(c)), c);
  }
  EXPECT_EQ(find_confidence("sure"), std::nullopt);
}

// Past what is printed, faults are counted and no longer looked up, so that a hostile file does not cost minutes.
TEST(ObjectReader, FiftyThousandUnknownKeysTakeNoTime) {
  std::string text = "{\"a\": 0";
  for (int i = 0; i < 50'000; ++i) text += ",\n\"key" + std::to_string(i) + "\": 0";
  Reading r(text + "}");
  r.reader.number("a");
  r.reader.finish();
  EXPECT_EQ(r.faults.size(), 50'000u);
  EXPECT_TRUE(r.reader.is_full());
  EXPECT_FALSE(r.faults[kMaxDiagnostics - 1].place.file.empty());
  EXPECT_TRUE(r.faults[kMaxDiagnostics].place.file.empty());
}

}  // namespace
}  // namespace oblea
