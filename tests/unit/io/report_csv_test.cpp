#include "io/report_csv.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "unit/report/example_report.hpp"

namespace oblea {
namespace {

TEST(CsvCell, QuotesWhatRfc4180Asks) {
  EXPECT_EQ(csv_cell("plain text"), "plain text");
  EXPECT_EQ(csv_cell(""), "");
  EXPECT_EQ(csv_cell("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_cell("say \"hi\""), "\"say \"\"hi\"\"\"");
  EXPECT_EQ(csv_cell("two\nlines"), "\"two\nlines\"");
  EXPECT_EQ(csv_cell("cr\r"), "\"cr\r\"");
}

TEST(CsvCell, TakesTheTeethOutOfFormulas) {
  EXPECT_EQ(csv_cell("=HYPERLINK(\"http://x\")"), "\"'=HYPERLINK(\"\"http://x\"\")\"");
  EXPECT_EQ(csv_cell("+1"), "'+1");
  EXPECT_EQ(csv_cell("-1"), "'-1");
  EXPECT_EQ(csv_cell("@SUM(A1)"), "'@SUM(A1)");
  EXPECT_EQ(csv_cell("\t=1"), "'\t=1");
  EXPECT_EQ(csv_cell("\r=1"), "\"'\r=1\"");
  EXPECT_EQ(csv_cell("a=1"), "a=1");
}

TEST(ReportCsv, HasOneRowAFigureOfTheRunAndOfEachBuild) {
  const std::string csv = write_report_csv(test::example_report());
  EXPECT_EQ(csv,
            "build,quantisation,name,value,unit,low,high,origin\r\n"
            "size,,decode_tokens_per_s,17.25,tok/s,15,19.5,measured-elsewhere\r\n"
            "size,,price,1320,EUR,1320,1320,datasheet\r\n"
            "2x RTX 3090 (used),Q4_K_M,decode_tokens_per_s,17.25,tok/s,15,19.5,measured-elsewhere\r\n"
            "2x RTX 3090 (used),Q4_K_M,price,1320,EUR,1320,1320,datasheet\r\n");
}

TEST(ReportCsv, ANameWithACommaOrAFormulaStaysOneCell) {
  Report report = test::example_report();
  report.builds[0].name = "=1+1, \"x\"";
  const std::string csv = write_report_csv(report);
  EXPECT_NE(csv.find("\r\n\"'=1+1, \"\"x\"\"\",Q4_K_M,price,"), std::string::npos) << csv;
}

TEST(ReportCsv, NumbersHaveADecimalPointAndNoSeparators) {
  Report report = test::example_report();
  report.metrics = {exact_metric("a", 1234567.5, "B"), exact_metric("b", -0.001, "s")};
  const std::string csv = write_report_csv(report);
  EXPECT_NE(csv.find("size,,a,1234567.5,B,"), std::string::npos);
  EXPECT_NE(csv.find("size,,b,-0.001,s,"), std::string::npos);
}

TEST(ReportCsv, AReportWithoutFiguresIsTheHeading) {
  EXPECT_EQ(write_report_csv({}), "build,quantisation,name,value,unit,low,high,origin\r\n");
}

}  // namespace
}  // namespace oblea
