#include "io/gguf/types.hpp"

#include <gtest/gtest.h>

namespace oblea {
namespace {

double bits(std::uint32_t id) {
  const GgufType* type = find_gguf_type(id);
  return 8.0 * type->bytes_per_block / type->weights_per_block;
}

TEST(GgufTypes, StandInTheTableByTheirNumber) {
  for (std::uint32_t id = 0; id <= 42; ++id) {
    ASSERT_NE(find_gguf_type(id), nullptr) << id;
    EXPECT_EQ(find_gguf_type(id)->id, id);
  }
  EXPECT_EQ(find_gguf_type(43), nullptr);
  EXPECT_EQ(find_gguf_type(0xFFFFFFFF), nullptr);
}

// Bits a weight as llama.cpp's documentation and its quantiser's help give them.
TEST(GgufTypes, HaveThePublishedBitsAWeight) {
  const std::pair<std::uint32_t, double> published[] = {
      {0, 32},      {1, 16},      {2, 4.5},  {3, 5},       {6, 5.5},     {7, 6},       {8, 8.5},
      {10, 2.625},  {11, 3.4375}, {12, 4.5}, {13, 5.5},    {14, 6.5625}, {16, 2.0625}, {17, 2.3125},
      {18, 3.0625}, {19, 1.5625}, {20, 4.5}, {21, 3.4375}, {22, 2.5625}, {23, 4.25},   {24, 8},
      {25, 16},     {26, 32},     {27, 64},  {28, 64},     {29, 1.75},   {30, 16},     {34, 1.6875},
      {35, 2.0625}, {39, 4.25},   {40, 4.5}, {41, 1.125},  {42, 2.25}};
  for (const auto& [id, expected] : published) EXPECT_DOUBLE_EQ(bits(id), expected) << find_gguf_type(id)->name;
}

// The table of llm is written by other hands for the same blocks.
TEST(GgufTypes, AgreeWithTheFormatsOfTheSameName) {
  int same = 0;
  for (std::uint32_t id = 0; id <= 42; ++id) {
    const GgufType& type = *find_gguf_type(id);
    const std::optional<TensorFormat> format = find_tensor_format(type.name);
    if (!format) continue;
    ++same;
    EXPECT_EQ(type.format, *format) << type.name;
    EXPECT_EQ(static_cast<int>(type.weights_per_block), block_format(*format).weights_per_block) << type.name;
    EXPECT_EQ(static_cast<int>(type.bytes_per_block), block_format(*format).bytes_per_block) << type.name;
  }
  EXPECT_EQ(same, 26);
}

TEST(GgufTypes, ExplainWhatWasDropped) {
  for (const std::uint32_t id : {4u, 5u, 31u, 32u, 33u, 36u, 37u, 38u}) {
    EXPECT_NE(find_gguf_type(id)->removed.find("dropped in"), std::string_view::npos) << id;
  }
  EXPECT_TRUE(find_gguf_type(39)->removed.empty());
}

// Distances from 0.57 bytes: Q4_0, Q4_K and IQ4_NL 0.0075, IQ4_XS 0.039; the first of equals is taken.
TEST(GgufTypes, FindTheNearestFormat) {
  EXPECT_EQ(nearest_format(0.57), TensorFormat::q4_0);
  EXPECT_EQ(nearest_format(2.1), TensorFormat::f16);
  EXPECT_EQ(nearest_format(1.05), TensorFormat::q8_0);
  EXPECT_EQ(nearest_format(0.2), TensorFormat::iq1_s);
  EXPECT_EQ(nearest_format(1000), TensorFormat::f32);
}

TEST(GgufTypes, NameAFileType) {
  EXPECT_EQ(gguf_file_type_name(15), "Q4_K_M");
  EXPECT_EQ(gguf_file_type_name(1024 + 7), "Q8_0");
  EXPECT_EQ(gguf_file_type_name(38), "MXFP4");
  EXPECT_EQ(gguf_file_type_name(5), "");
  EXPECT_EQ(gguf_file_type_name(-1), "");
}

}  // namespace
}  // namespace oblea
