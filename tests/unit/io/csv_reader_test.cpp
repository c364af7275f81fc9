#include "io/csv_reader.hpp"

#include <string>

#include <gtest/gtest.h>

#include "base/limits.hpp"

namespace oblea {
namespace {

using Rows = std::vector<std::vector<std::string>>;

Rows rows_of(const std::string& text) {
  CsvReader reader(text);
  std::vector<CsvField> fields;
  Rows rows;
  while (reader.next(fields)) {
    rows.emplace_back();
    for (const CsvField& field : fields) rows.back().emplace_back(field.text);
  }
  return rows;
}

std::string fault_of(const std::string& text) {
  CsvReader reader(text);
  std::vector<CsvField> fields;
  while (reader.next(fields)) {
  }
  return reader.fault() == nullptr ? "" : reader.fault();
}

TEST(CsvReader, SplitsAtCommasAndLines) {
  EXPECT_EQ(rows_of("a,b\n1,2\n"), (Rows{{"a", "b"}, {"1", "2"}}));
  EXPECT_EQ(rows_of("a,b\r\n1,2\r\n"), (Rows{{"a", "b"}, {"1", "2"}}));
  EXPECT_EQ(rows_of("a,,\n,"), (Rows{{"a", "", ""}, {"", ""}}));
  EXPECT_EQ(rows_of("a"), (Rows{{"a"}}));
  EXPECT_EQ(rows_of(""), Rows{});
}

TEST(CsvReader, SkipsBlankLines) { EXPECT_EQ(rows_of("\n\r\na,b\n \t \n\n1,2\n\n"), (Rows{{"a", "b"}, {"1", "2"}})); }

TEST(CsvReader, LetsQuotesHoldCommasQuotesAndLineEnds) {
  EXPECT_EQ(rows_of("\"a,b\",c\n"), (Rows{{"a,b", "c"}}));
  EXPECT_EQ(rows_of("\"a\nb\",c\r\nd,\"e\"\r\n"), (Rows{{"a\nb", "c"}, {"d", "e"}}));
  EXPECT_EQ(rows_of("\"a \"\"b\"\"\",\"\"\n"), (Rows{{"a \"\"b\"\"", ""}}));
  EXPECT_EQ(rows_of("x,\"\""), (Rows{{"x", ""}}));
  EXPECT_EQ(rows_of("6\" tall,b\n"), (Rows{{"6\" tall", "b"}}));
  EXPECT_EQ(rows_of("\"a\",\n"), (Rows{{"a", ""}}));
}

TEST(CsvReader, StopsAtWhatCannotBeCsv) {
  EXPECT_EQ(fault_of("\"a,b\n1,2\n"), "a quote that is not closed");
  EXPECT_EQ(fault_of("\"a\"b,c\n"), "text behind a closing quote");
  EXPECT_EQ(fault_of("a,\"b\"\"\n"), "a quote that is not closed");
  EXPECT_EQ(fault_of("a,b\n1,2\n"), "");
}

TEST(CsvReader, TakesLinesUpToTheLimit) {
  EXPECT_EQ(fault_of(std::string(kMaxTraceLineBytes, 'x')), "");
  EXPECT_EQ(fault_of(std::string(kMaxTraceLineBytes + 1, 'x')), "a line above 1 MiB");
  EXPECT_EQ(fault_of("\"" + std::string(2 * kMaxTraceLineBytes, '\n')), "a quote that is not closed within 1 MiB");
}

}  // namespace
}  // namespace oblea
