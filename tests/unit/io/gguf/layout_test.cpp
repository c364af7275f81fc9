#include "io/gguf/layout.hpp"

#include <gtest/gtest.h>

#include "support/gguf_writer.hpp"

namespace oblea {
namespace {

using test::GgufWriter;

struct Read {
  Result<GgufHeader> header = fail("not read");
  std::string warnings;
};

Read read(const std::string& bytes) {
  ByteReader reader(bytes, "t.gguf");
  Diagnostics warnings;
  Read read;
  read.header = parse_gguf_header(reader, warnings);
  read.warnings = print_diagnostics(warnings);
  return read;
}

// 100 rows of 256 F16 weights are 51,200 bytes; the file holds 20,000 of them and of what follows nothing.
TEST(GgufLayout, OfADownloadThatHasNotEndedIsReadWithAWarning) {
  GgufWriter writer("llama");
  writer.tensor("a", {256, 100}).tensor("b", {256, 100}).tensor("c", {256, 100});
  const Read whole = read(writer.bytes());
  ASSERT_TRUE(whole.header);
  EXPECT_EQ(whole.warnings, "");
  const Read cut = read(writer.header() + std::string(20'000, '\0'));
  ASSERT_TRUE(cut.header);
  EXPECT_EQ(cut.header->missing_bytes, 3u * 51'200 - 20'000);
  const std::size_t size = writer.header().size();
  EXPECT_NE(cut.warnings.find("cut short: " + std::to_string(size + 20'000) + " of " + std::to_string(size + 153'600)),
            std::string::npos)
      << cut.warnings;
}

TEST(GgufLayout, GapsBetweenTensorsAreAllowedInsideTheFile) {
  const std::string entry = test::gguf_text("t") + test::u32(1) + test::u64(8) + test::u32(0) + test::u64(96);
  const Read gap = read(test::gguf_start(1, 0) + entry + std::string(256, '\0'));
  ASSERT_TRUE(gap.header);
  EXPECT_EQ(gap.header->tensors[0].bytes, 32u);
}

// Type 77 does not exist: 1,000 bytes up to the next tensor's start, which the alignment puts at 1,024.
TEST(GgufLayout, AnUnknownTypeTakesWhatLiesBeforeTheNextTensor) {
  GgufWriter writer("llama");
  writer.tensor("a", {256, 7}, 77, 1000).tensor("b", {256}, test::kF32).tensor("c", {256, 3}, 78, 500);
  const Read unknown = read(writer.bytes());
  ASSERT_TRUE(unknown.header) << print_diagnostics(unknown.header.error());
  EXPECT_EQ(unknown.header->tensors[0].bytes, 1024u);
  EXPECT_EQ(unknown.header->tensors[1].bytes, 1024u);
  EXPECT_EQ(unknown.header->tensors[2].bytes, 500u);
  EXPECT_NE(unknown.warnings.find("1 tensors of type 77, which has no name here"), std::string::npos);
  EXPECT_NE(unknown.warnings.find("1 tensors of type 78"), std::string::npos);
}

TEST(GgufLayout, ATypeThatWasDroppedIsExplained) {
  GgufWriter writer("llama");
  writer.tensor("a", {32, 10}, 31, 180);
  const Read dropped = read(writer.bytes());
  ASSERT_TRUE(dropped.header);
  EXPECT_EQ(dropped.header->tensors[0].bytes, 180u);
  EXPECT_NE(dropped.warnings.find("type 31 (Q4_0_4_4): dropped in December 2024"), std::string::npos)
      << dropped.warnings;
}

TEST(GgufLayout, TensorsNeedNotStandInTheOrderOfTheirData) {
  const auto entry = [](const char* name, std::uint64_t offset) {
    return test::gguf_text(name) + test::u32(1) + test::u64(8) + test::u32(0) + test::u64(offset);
  };
  const Read read_back = read(test::gguf_start(2, 0) + entry("late", 32) + entry("early", 0) + std::string(128, '\0'));
  ASSERT_TRUE(read_back.header);
  EXPECT_EQ(read_back.header->tensors[0].name, "late");
  EXPECT_EQ(read_back.header->missing_bytes, 0u);
}

}  // namespace
}  // namespace oblea
