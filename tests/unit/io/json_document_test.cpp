#include "io/json_document.hpp"

#include <gtest/gtest.h>

#include "base/limits.hpp"

namespace oblea {
namespace {

using Kind = JsonValue::Kind;

JsonDocument parsed(const std::string& text, const std::string& file = "t.json") {
  Result<JsonDocument> document = JsonDocument::parse(text, file);
  if (!document) throw std::runtime_error(print_diagnostics(document.error()));
  return std::move(*document);
}

Diagnostics faults_of(const std::string& text) {
  const Result<JsonDocument> document = JsonDocument::parse(text, "t.json");
  return document ? Diagnostics{} : document.error();
}

std::string where(const SourcePlace& place) {
  return place.file + ":" + std::to_string(place.line) + ":" + std::to_string(place.column);
}

std::string only_fault(const std::string& text) {
  const Diagnostics faults = faults_of(text);
  if (faults.size() != 1) return std::to_string(faults.size()) + " faults: " + print_diagnostics(faults);
  return where(faults[0].place) + " " + faults[0].message;
}

// ---- places ----

TEST(JsonPlaces, EveryKindOfValueKnowsWhereItStands) {
  const std::string text = R"({"n": null, "t": true, "i": -12, "f": 1.5e3, "s": "x\"y", "a": [1, 2], "o": {"k": 0}})";
  const JsonDocument d = parsed(text);
  const std::pair<const char*, const char*> written[] = {{"n", "null"},       {"t", "true"},      {"i", "-12"},
                                                         {"f", "1.5e3"},      {"s", R"("x\"y")"}, {"a", "[1, 2]"},
                                                         {"o", R"({"k": 0})"}};
  for (const auto& [key, value] : written) {
    const JsonValue* found = d.root().find(key);
    ASSERT_NE(found, nullptr) << key;
    EXPECT_EQ(d.text_of(*found), value);
    EXPECT_EQ(found->offset, text.find(value)) << key;
  }
  EXPECT_EQ(d.text_of(d.root()), text);
}

TEST(JsonPlaces, ANumberEndsBeforeWhatFollowsIt) {
  for (const char* after : {"", " ", "\n", "\t\n"}) {
    const JsonDocument d = parsed(std::string("-1.25E+10") + after);
    EXPECT_EQ(d.text_of(d.root()), "-1.25E+10") << '"' << after << '"';
    EXPECT_EQ(d.root().number, -1.25e10);
  }
  const JsonDocument list = parsed("[1,22 ,333]");
  EXPECT_EQ(list.text_of(list.root().items[0]), "1");
  EXPECT_EQ(list.text_of(list.root().items[1]), "22");
  EXPECT_EQ(list.text_of(list.root().items[2]), "333");
}

TEST(JsonPlaces, LinesAndColumnsStartAtOneAndCountBytes) {
  const JsonDocument d = parsed("{\n  \"a\": 1,\n\t\"ö\": {\"b\": [true,\n false]}\n}");
  EXPECT_EQ(where(d.place(d.root())), "t.json:1:1");
  EXPECT_EQ(where(d.place(*d.root().find("a"))), "t.json:2:8");
  const JsonValue& inner = *d.root().find("ö");
  EXPECT_EQ(where(d.place(inner)), "t.json:3:8");  // tab 1, quotes 2, ö 2 bytes, colon, blank
  EXPECT_EQ(where(d.place(inner.find("b")->items[0])), "t.json:3:15");
  EXPECT_EQ(where(d.place(inner.find("b")->items[1])), "t.json:4:2");
  EXPECT_EQ(d.place(inner.find("b")->items[1]).source_line, " false]}");
  EXPECT_EQ(where(d.place(d.root().members[1].key_offset)), "t.json:3:2");
}

TEST(JsonPlaces, EscapesInKeysAndStringsDoNotShiftWhatFollows) {
  const JsonDocument d = parsed(R"({"a\u00e9\n": "\ud83d\ude00", "b": 7})");
  EXPECT_EQ(d.root().members[0].key, "a\xC3\xA9\n");
  EXPECT_EQ(d.root().members[0].value.text, "\xF0\x9F\x98\x80");
  EXPECT_EQ(d.text_of(*d.root().find("b")), "7");
  EXPECT_EQ(d.text_of(d.root().members[0].value), R"("\ud83d\ude00")");
}

TEST(JsonPlaces, OfAListOnlyTheBracketIsUnderlined) {
  const JsonDocument d = parsed(R"({"a": [1, 2, 3], "s": "text"})");
  EXPECT_EQ(d.place(*d.root().find("a")).length, 1);
  EXPECT_EQ(d.place(*d.root().find("s")).length, 6);
}

TEST(JsonPlaces, AFileInOneLineKeepsItsColumns) {
  std::string text = "[";
  for (int i = 0; i < 5000; ++i) text += "10,";
  text += "77]";
  const JsonDocument d = parsed(text);
  const SourcePlace place = d.place(d.root().items.back());
  EXPECT_EQ(place.column, 1 + 1 + 5000 * 3);
  EXPECT_LE(place.source_line.size(), 4096u);
  EXPECT_EQ(place.source_line.substr(static_cast<std::size_t>(place.column - 1 - place.cut), 2), "77");
}

TEST(JsonPlaces, AByteOrderMarkIsSkipped) {
  const JsonDocument d = parsed("\xEF\xBB\xBF{\"a\": 1}");
  EXPECT_EQ(d.text_of(*d.root().find("a")), "1");
}

// ---- faults ----

TEST(JsonFaults, EveryDuplicateKeyIsFound) {
  const Diagnostics faults = faults_of("{\"a\": 1,\n \"b\": {\"c\": 1, \"c\": 2},\n \"a\": 3, \"a\": 4}");
  ASSERT_EQ(faults.size(), 3u);
  EXPECT_EQ(where(faults[0].place), "t.json:2:16");
  EXPECT_EQ(where(faults[1].place), "t.json:3:2");
  EXPECT_EQ(where(faults[2].place), "t.json:3:10");
  EXPECT_NE(faults[1].message.find("\"a\" appears twice"), std::string::npos);
  EXPECT_FALSE(faults[1].hint.empty());
}

TEST(JsonFaults, DuplicatesThatAreSpelledDifferentlyAreTheSameKey) {
  EXPECT_EQ(faults_of(R"({"a": 1, "\u0061": 2})").size(), 1u);
}

TEST(JsonFaults, TheSameKeyInTwoObjectsIsFine) { EXPECT_TRUE(faults_of(R"([{"a": 1}, {"a": {"a": 2}}])").empty()); }

std::string nested(int depth) {
  return std::string(static_cast<std::size_t>(depth), '[') + std::string(static_cast<std::size_t>(depth), ']');
}

TEST(JsonFaults, NestingMayReachTheLimitAndNotOneMore) {
  EXPECT_TRUE(faults_of(nested(kMaxJsonDepth)).empty());
  EXPECT_EQ(only_fault(nested(kMaxJsonDepth + 1)), "t.json:1:65 brackets nested deeper than 64");
  EXPECT_EQ(only_fault(std::string(1'000'000, '[')), "t.json:1:65 brackets nested deeper than 64");
  std::string objects;
  for (int i = 0; i <= kMaxJsonDepth; ++i) objects += "{\"a\":";
  EXPECT_NE(only_fault(objects).find("nested deeper"), std::string::npos);
}

TEST(JsonFaults, AFileMayReachTheSizeLimitAndNotOneByteMore) {
  std::string text = "\"" + std::string(kMaxInputBytes - 2, 'x') + "\"";
  EXPECT_TRUE(faults_of(text).empty());
  text += ' ';
  const Diagnostics faults = faults_of(text);
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].place.file, "t.json");
  EXPECT_NE(faults[0].message.find("4194305 bytes; the limit is 4194304"), std::string::npos);
}

TEST(JsonFaults, AFileMayReachTheLimitOfValuesAndNotOneMore) {
  std::string text = "[";
  for (std::size_t i = 1; i < kMaxJsonValues; ++i) text += i == 1 ? "0" : ",0";  // with the list itself: the limit
  EXPECT_TRUE(faults_of(text + "]").empty());
  EXPECT_NE(only_fault(text + ",0]").find("more than 100000 values"), std::string::npos);
}

TEST(JsonFaults, NumbersMustBeFinite) {
  for (const char* text :
       {"NaN", "nan", "Infinity", "-Infinity", "inf", "[1, NaN]", "{\"a\": -inf}", "{\"a\": Infinity }"}) {
    const Diagnostics faults = faults_of(text);
    ASSERT_EQ(faults.size(), 1u) << text;
    EXPECT_EQ(faults[0].hint, "numbers must be finite; NaN and Infinity are not JSON")
        << text << print_diagnostics(faults);
  }
  EXPECT_EQ(only_fault("{\"a\":\n  1e999 }"), "t.json:2:3 number out of range: 1e999");
  EXPECT_EQ(only_fault("-1e999"), "t.json:1:1 number out of range: -1e999");
  EXPECT_EQ(parsed("1e308").root().number, 1e308);
  EXPECT_EQ(parsed("1e-999").root().number, 0);
  EXPECT_EQ(parsed("18446744073709551616").root().number, 18446744073709551616.0);
}

TEST(JsonFaults, AnotherSyntaxErrorGetsNoHintAboutNaN) {
  for (const char* text : {R"({"NAME" 3})", R"({"a": Nope})", R"({"Intel": I})", R"(["N" "I"])"}) {
    const Diagnostics faults = faults_of(text);
    ASSERT_EQ(faults.size(), 1u);
    EXPECT_EQ(faults[0].hint, "") << text;
  }
}

TEST(JsonFaults, SyntaxErrorsPointAtTheByte) {
  EXPECT_NE(only_fault("{\n  \"a\": 1\n  \"b\": 2\n}").find("t.json:3:"), std::string::npos);
  EXPECT_NE(only_fault("").find("t.json:1:1 not valid JSON"), std::string::npos);
  EXPECT_NE(only_fault("{\"a\": 1,}").find("t.json:1:9 "), std::string::npos);
  EXPECT_NE(only_fault("{} {}").find("t.json:1:4 "), std::string::npos);
  EXPECT_NE(only_fault("'a'").find("t.json:1:1 "), std::string::npos);
  EXPECT_NE(only_fault("// note\n1").find("t.json:1:"), std::string::npos);
  EXPECT_NE(only_fault(std::string("[\0]", 3)).find("t.json:1:2 "), std::string::npos);
  EXPECT_NE(only_fault("{\"a\": \"x").find("not valid JSON"), std::string::npos);
}

TEST(JsonFaults, TextMustBeValidUtf8) {
  for (const char* text : {"\"\xff\"", "\"\xC0\xAF\"", "\"\xED\xA0\x80\"", "\"\xE2\x82\"", "\"\xF4\x90\x80\x80\""}) {
    EXPECT_NE(only_fault(text).find("UTF-8"), std::string::npos) << text;
  }
}

TEST(JsonFaults, AnUnterminatedStringOfAMegabyteIsNotRepeated) {
  const Diagnostics faults = faults_of("{\"a\": \"" + std::string(1 << 20, 'x'));
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_LT(faults[0].message.size(), 300u) << faults[0].message.size();
}

TEST(JsonFaults, FiftyThousandDuplicatesAreCountedNotSearchedFor) {
  std::string text = "{\"a\": 0";
  for (int i = 0; i < 50'000; ++i) text += ",\n\"a\": 0";
  const Diagnostics faults = faults_of(text + "}");
  EXPECT_EQ(faults.size(), 50'000u);
  EXPECT_TRUE(print_diagnostics(faults).ends_with("... and 49900 more\n"));
}

// ---- set ----

TEST(JsonSet, MakesObjectsOnTheWay) {
  JsonDocument d = parsed("{}");
  ASSERT_TRUE(d.set("size.budget", "3500 EUR", "--budget 3500 EUR"));
  ASSERT_TRUE(d.set("workload.users", "2", "--users 2"));
  ASSERT_TRUE(d.set("size.devices", R"(["a", "b"])", "--devices a,b"));
  const JsonValue* budget = d.root().find("size")->find("budget");
  EXPECT_EQ(budget->kind, Kind::string);
  EXPECT_EQ(budget->text, "3500 EUR");
  EXPECT_EQ(d.root().find("workload")->find("users")->number, 2);
  EXPECT_EQ(d.root().find("size")->find("devices")->items.size(), 2u);
}

TEST(JsonSet, AFaultOfTheCommandLineShowsWhatTheUserTyped) {
  JsonDocument d = parsed("{\"a\": 1}");
  ASSERT_TRUE(d.set("size.budget", "3500 EUR", "--budget 3500 EUR"));
  const SourcePlace place = d.place(*d.root().find("size")->find("budget"));
  EXPECT_EQ(where(place), "command line:1:1");
  EXPECT_EQ(place.source_line, "--budget 3500 EUR");
  EXPECT_EQ(place.length, 17);
  EXPECT_EQ(where(d.place(*d.root().find("a"))), "t.json:1:7") << "the file's own places stay";
}

TEST(JsonSet, ReachesIntoLists) {
  JsonDocument d = parsed(R"({"nodes": [{"nic": "a"}, {"nic": "b"}]})");
  ASSERT_TRUE(d.set("nodes.1.nic", "c", "x"));
  ASSERT_TRUE(d.set("nodes.2.nic", "d", "x")) << "the next entry may be added";
  EXPECT_EQ(d.root().find("nodes")->items[0].find("nic")->text, "a");
  EXPECT_EQ(d.root().find("nodes")->items[1].find("nic")->text, "c");
  EXPECT_EQ(d.root().find("nodes")->items[2].find("nic")->text, "d");
}

TEST(JsonSet, PathsThatLeadNowhereAreFaults) {
  for (const char* path : {"nodes.2.nic", "nodes.-1.nic", "nodes.x", "nodes.99999999999999999999", "nodes.", "", ".",
                           "nodes..nic", "a.b", "nodes.0.nic.x"}) {
    JsonDocument d = parsed(R"({"a": 1, "nodes": [{"nic": "a"}]})");
    const Result<bool> set = d.set(path, "1", "--set path");
    ASSERT_FALSE(set) << path;
    EXPECT_EQ(where(set.error()[0].place), "command line:1:1");
    EXPECT_NE(set.error()[0].message.find("leads nowhere"), std::string::npos);
  }
}

TEST(JsonSet, APathMayBeAsDeepAsAFileAndNotDeeper) {
  std::string path = "a";
  for (int i = 1; i < kMaxJsonDepth; ++i) path += ".a";
  JsonDocument d = parsed("{}");
  EXPECT_TRUE(d.set(path, "1", "x"));
  EXPECT_FALSE(d.set(path + ".a.a", "1", "x"));
  std::string endless = "b";
  for (int i = 0; i < 1'000'000; ++i) endless += ".b";
  EXPECT_FALSE(d.set(endless, "1", "x"));
}

TEST(JsonSet, WhatIsNoJsonIsText) {
  JsonDocument d = parsed("{}");
  for (const char* value : {"", "NaN", "{\"a\": 1", "rtx-3090", "1 2", "\xff"}) {
    ASSERT_TRUE(d.set("x", value, "x"));
    EXPECT_EQ(d.root().find("x")->kind, Kind::string) << value;
    EXPECT_EQ(d.root().find("x")->text, value);
  }
  ASSERT_TRUE(d.set("x", "null", "x"));
  EXPECT_EQ(d.root().find("x")->kind, Kind::null);
  ASSERT_TRUE(d.set("x", "\"3\"", "x"));
  EXPECT_EQ(d.root().find("x")->text, "3");
}

// ---- extend ----

TEST(JsonExtend, FillsInWhatIsNotSaidAndLetsTheFileWin) {
  JsonDocument d = parsed(R"({"w": {"users": 4}, "list": [9]})", "own.json");
  d.extend(parsed(R"({"w": {"users": 1, "context": 100}, "list": [1, 2], "extra": true})", "base.json"));
  EXPECT_EQ(d.root().find("w")->find("users")->number, 4);
  EXPECT_EQ(d.root().find("w")->find("context")->number, 100);
  EXPECT_EQ(d.root().find("list")->items.size(), 1u) << "a list is replaced, not joined";
  EXPECT_TRUE(d.root().find("extra")->boolean);
}

TEST(JsonExtend, ValuesOfEveryFileKeepTheirPlaces) {
  JsonDocument middle = parsed("{\n \"b\": 2}", "middle.json");
  middle.extend(parsed("{\n\n \"c\": 3}", "base.json"));
  JsonDocument d = parsed("{\"a\": 1}", "own.json");
  d.extend(middle);
  ASSERT_TRUE(d.set("d", "4", "--set d=4"));
  EXPECT_EQ(where(d.place(*d.root().find("a"))), "own.json:1:7");
  EXPECT_EQ(where(d.place(*d.root().find("b"))), "middle.json:2:7");
  EXPECT_EQ(where(d.place(*d.root().find("c"))), "base.json:3:7");
  EXPECT_EQ(d.place(*d.root().find("c")).source_line, " \"c\": 3}");
  EXPECT_EQ(where(d.place(*d.root().find("d"))), "command line:1:1");
  EXPECT_EQ(d.text_of(*d.root().find("c")), "3");
}

TEST(JsonExtend, ASettingBeforeAnExtensionKeepsItsPlace) {
  JsonDocument d = parsed("{}", "own.json");
  ASSERT_TRUE(d.set("a", "1", "--a 1"));
  d.extend(parsed("{\"a\": 2, \"b\": 3}", "base.json"));
  EXPECT_EQ(d.root().find("a")->number, 1);
  EXPECT_EQ(where(d.place(*d.root().find("a"))), "command line:1:1");
  EXPECT_EQ(where(d.place(*d.root().find("b"))), "base.json:1:15");
}

TEST(JsonDocumentLenient, TakesWhatPythonTakesAndSaysSo) {
  Diagnostics warnings;
  const auto document = JsonDocument::parse_lenient("\xEF\xBB\xBF{\"a\": NaN,\n\"b\": [Infinity, -Infinity], \"a\": 2}",
                                                    "config.json", warnings);
  ASSERT_TRUE(document) << print_diagnostics(document.error());
  ASSERT_EQ(warnings.size(), 4u);
  EXPECT_EQ(where(warnings[0].place), "config.json:1:7");
  EXPECT_EQ(warnings[0].message, "NaN is not JSON");
  EXPECT_EQ(where(warnings[2].place), "config.json:2:17");
  EXPECT_EQ(warnings[3].message, "key \"a\" appears twice in one object");
  EXPECT_EQ(document->root().members.size(), 2u);
  EXPECT_EQ(document->root().find("a")->number, 2);
  EXPECT_EQ(document->root().find("b")->items[1].number, 0);
}

// The same letters inside a text are a text, also behind an escaped quote.
TEST(JsonDocumentLenient, LeavesTextsAlone) {
  Diagnostics warnings;
  const auto document = JsonDocument::parse_lenient(R"({"a": "\\\" NaN", "NaN": "Infinity\\"})", "c", warnings);
  ASSERT_TRUE(document);
  EXPECT_TRUE(warnings.empty());
  EXPECT_EQ(document->root().find("NaN")->text, "Infinity\\");
}

TEST(JsonDocumentLenient, RefusesWhatIsBroken) {
  for (const char* text :
       {"", "{", "{\"a\": Inf}", "{\"a\": nan}", "{\"a\": NaNa}", "{\"a\": 1} x", "{\"a\": 1e999}"}) {
    Diagnostics warnings;
    EXPECT_FALSE(JsonDocument::parse_lenient(text, "c", warnings)) << text;
  }
}

}  // namespace
}  // namespace oblea
