#include "llm/tensor_format.hpp"

#include <cctype>

namespace oblea {
namespace {

// Sizes of GGUF blocks: ggml's public block layouts (ggml-common.h). MXFP4: 32 x 4 bit and an 8-bit scale. NVFP4: 16 x
// 4 bit and an FP8 scale, 64 weights a block in GGUF. int4_g128 (AWQ, GPTQ): 128 x 4 bit, a 16-bit scale and a 4-bit
// zero point, 66.5 bytes, so two groups a block here. int4_g32 (Kimi K2 Thinking, K2.5): 32 x 4 bit and a 16-bit scale.
constexpr std::array<BlockFormat, kTensorFormatCount> kBlocks{{
    {"F32", 1, 4},       {"F16", 1, 2},        {"BF16", 1, 2},     {"Q8_0", 32, 34},        {"Q6_K", 256, 210},
    {"Q5_K", 256, 176},  {"Q5_0", 32, 22},     {"Q5_1", 32, 24},   {"Q4_K", 256, 144},      {"Q4_0", 32, 18},
    {"Q4_1", 32, 20},    {"Q3_K", 256, 110},   {"Q2_K", 256, 84},  {"IQ4_NL", 32, 18},      {"IQ4_XS", 256, 136},
    {"IQ3_S", 256, 110}, {"IQ3_XXS", 256, 98}, {"IQ2_S", 256, 82}, {"IQ2_XS", 256, 74},     {"IQ2_XXS", 256, 66},
    {"IQ1_M", 256, 56},  {"IQ1_S", 256, 50},   {"TQ1_0", 256, 54}, {"TQ2_0", 256, 66},      {"MXFP4", 32, 17},
    {"NVFP4", 64, 36},   {"FP8", 1, 1},        {"INT8", 1, 1},     {"INT4_G128", 256, 133}, {"INT4_G32", 32, 18},
}};

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::toupper(static_cast<unsigned char>(a[i])) != std::toupper(static_cast<unsigned char>(b[i]))) return false;
  }
  return true;
}

}  // namespace

const BlockFormat& block_format(TensorFormat format) { return kBlocks[static_cast<std::size_t>(format)]; }

std::optional<TensorFormat> find_tensor_format(std::string_view name) {
  for (std::size_t i = 0; i < kBlocks.size(); ++i) {
    if (equal_ignoring_case(kBlocks[i].name, name)) return static_cast<TensorFormat>(i);
  }
  return std::nullopt;
}

std::int64_t tensor_bytes(std::int64_t weights, TensorFormat format) {
  const BlockFormat& block = block_format(format);
  const std::int64_t blocks = (weights + block.weights_per_block - 1) / block.weights_per_block;
  return blocks * block.bytes_per_block;
}

}  // namespace oblea
