#include "llm/tensor_format.hpp"

#include <string>

#include <gtest/gtest.h>

namespace oblea {
namespace {

struct BlockCase {
  const char* name;
  int weights;
  int bytes;
};

// ggml's public block layouts; e.g. Q4_K: 2 + 2 B of scales, 12 B of sub-scales, 128 B of nibbles = 144.
// Q6_K: 128 + 64 + 16 + 2 = 210. IQ3_S: 2 + 64 + 8 + 32 + 4 = 110. NVFP4: 4 x (8 + 1) = 36.
TEST(TensorFormat, BlocksHaveTheSizesOfTheirLayout) {
  const BlockCase cases[] = {
      {"F32", 1, 4},        {"F16", 1, 2},      {"Q8_0", 32, 34},    {"Q6_K", 256, 210},   {"Q5_K", 256, 176},
      {"Q5_0", 32, 22},     {"Q5_1", 32, 24},   {"Q4_K", 256, 144},  {"Q4_0", 32, 18},     {"Q4_1", 32, 20},
      {"Q3_K", 256, 110},   {"Q2_K", 256, 84},  {"IQ4_NL", 32, 18},  {"IQ4_XS", 256, 136}, {"IQ3_S", 256, 110},
      {"IQ3_XXS", 256, 98}, {"IQ2_S", 256, 82}, {"IQ2_XS", 256, 74}, {"IQ2_XXS", 256, 66}, {"IQ1_M", 256, 56},
      {"IQ1_S", 256, 50},   {"TQ1_0", 256, 54}, {"TQ2_0", 256, 66},  {"MXFP4", 32, 17},    {"NVFP4", 64, 36}};
  for (const BlockCase& c : cases) {
    const auto format = find_tensor_format(c.name);
    ASSERT_TRUE(format) << c.name;
    EXPECT_EQ(block_format(*format).weights_per_block, c.weights) << c.name;
    EXPECT_EQ(block_format(*format).bytes_per_block, c.bytes) << c.name;
  }
}

TEST(TensorFormat, EveryFormatIsFoundByItsOwnNameInAnyCase) {
  for (int i = 0; i < kTensorFormatCount; ++i) {
    const auto format = static_cast<TensorFormat>(i);
    std::string name(block_format(format).name);
    EXPECT_EQ(find_tensor_format(name), format);
    for (char& c : name) c = static_cast<char>(std::tolower(c));
    EXPECT_EQ(find_tensor_format(name), format);
  }
  EXPECT_FALSE(find_tensor_format("Q4_K_M"));  // a mixture, not a format
  EXPECT_FALSE(find_tensor_format(""));
}

TEST(TensorFormat, WholeBlocksAreExactAndAPartBlockCountsAsWhole) {
  EXPECT_EQ(tensor_bytes(256, TensorFormat::q4_k), 144);
  EXPECT_EQ(tensor_bytes(8192LL * 8192, TensorFormat::q4_k), 37'748'736);  // 67,108,864 / 256 x 144
  EXPECT_EQ(tensor_bytes(257, TensorFormat::q4_k), 288);
  EXPECT_EQ(tensor_bytes(0, TensorFormat::q4_k), 0);
}

// AWQ and GPTQ: 128 nibbles (64 B), a 16-bit scale and a 4-bit zero point: 66.5 B, 4.15625 bits a weight.
TEST(TensorFormat, GroupsOf128HoldScaleAndZeroPoint) { EXPECT_EQ(tensor_bytes(256, TensorFormat::int4_g128), 133); }

TEST(FormatBytes, AddsByFormatAndTotals) {
  FormatBytes a;
  a.add(TensorFormat::q4_k, 100);
  a.add(TensorFormat::q6_k, 50);
  FormatBytes b;
  b.add(TensorFormat::q4_k, 1);
  a += b;
  EXPECT_DOUBLE_EQ(a.total().value(), 151);
  EXPECT_DOUBLE_EQ(a.bytes[static_cast<std::size_t>(TensorFormat::q4_k)], 101);
}

}  // namespace
}  // namespace oblea
