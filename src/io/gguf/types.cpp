#include "io/gguf/types.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace oblea {
namespace {

using F = TensorFormat;

constexpr std::string_view kOldQ4 =
    "dropped in May 2023 with the format before GGUF; some vendors still use the number";
constexpr std::string_view kRepacked = "dropped in December 2024: llama.cpp now rearranges plain Q4_0 when it loads it";
constexpr std::string_view kRepackedNl =
    "dropped in January 2025: llama.cpp now rearranges plain IQ4_NL when it loads it";

// Numbers and block sizes: ggml.h and ggml-common.h of ggml-org/ggml (MIT), read 2026-11. The dropped types keep the
// block sizes that they had: Q4_2 and Q4_3 held 16 weights in 10 and 12 bytes, the others are Q4_0 and IQ4_NL in
// another order.
constexpr std::array<GgufType, 43> kTypes{{
    {0, "F32", 1, 4, F::f32, ""},
    {1, "F16", 1, 2, F::f16, ""},
    {2, "Q4_0", 32, 18, F::q4_0, ""},
    {3, "Q4_1", 32, 20, F::q4_1, ""},
    {4, "Q4_2", 16, 10, F::q4_1, kOldQ4},
    {5, "Q4_3", 16, 12, F::q5_1, kOldQ4},
    {6, "Q5_0", 32, 22, F::q5_0, ""},
    {7, "Q5_1", 32, 24, F::q5_1, ""},
    {8, "Q8_0", 32, 34, F::q8_0, ""},
    {9, "Q8_1", 32, 36, F::q8_0, ""},
    {10, "Q2_K", 256, 84, F::q2_k, ""},
    {11, "Q3_K", 256, 110, F::q3_k, ""},
    {12, "Q4_K", 256, 144, F::q4_k, ""},
    {13, "Q5_K", 256, 176, F::q5_k, ""},
    {14, "Q6_K", 256, 210, F::q6_k, ""},
    {15, "Q8_K", 256, 292, F::q8_0, ""},
    {16, "IQ2_XXS", 256, 66, F::iq2_xxs, ""},
    {17, "IQ2_XS", 256, 74, F::iq2_xs, ""},
    {18, "IQ3_XXS", 256, 98, F::iq3_xxs, ""},
    {19, "IQ1_S", 256, 50, F::iq1_s, ""},
    {20, "IQ4_NL", 32, 18, F::iq4_nl, ""},
    {21, "IQ3_S", 256, 110, F::iq3_s, ""},
    {22, "IQ2_S", 256, 82, F::iq2_s, ""},
    {23, "IQ4_XS", 256, 136, F::iq4_xs, ""},
    {24, "I8", 1, 1, F::int8, ""},
    {25, "I16", 1, 2, F::f16, ""},
    {26, "I32", 1, 4, F::f32, ""},
    {27, "I64", 1, 8, F::f32, ""},
    {28, "F64", 1, 8, F::f32, ""},
    {29, "IQ1_M", 256, 56, F::iq1_m, ""},
    {30, "BF16", 1, 2, F::bf16, ""},
    {31, "Q4_0_4_4", 32, 18, F::q4_0, kRepacked},
    {32, "Q4_0_4_8", 32, 18, F::q4_0, kRepacked},
    {33, "Q4_0_8_8", 32, 18, F::q4_0, kRepacked},
    {34, "TQ1_0", 256, 54, F::tq1_0, ""},
    {35, "TQ2_0", 256, 66, F::tq2_0, ""},
    {36, "IQ4_NL_4_4", 32, 18, F::iq4_nl, kRepackedNl},
    {37, "IQ4_NL_4_8", 32, 18, F::iq4_nl, kRepackedNl},
    {38, "IQ4_NL_8_8", 32, 18, F::iq4_nl, kRepackedNl},
    {39, "MXFP4", 32, 17, F::mxfp4, ""},
    {40, "NVFP4", 64, 36, F::nvfp4, ""},
    {41, "Q1_0", 128, 18, F::iq1_s, ""},
    {42, "Q2_0", 64, 18, F::iq2_xs, ""},
}};

// llama_ftype of llama.h, read 2026-11; the gaps are numbers that were dropped.
constexpr std::array<std::pair<int, std::string_view>, 40> kFileTypes{{
    {0, "F32"},       {1, "F16"},       {2, "Q4_0"},      {3, "Q4_1"},    {7, "Q8_0"},     {8, "Q5_0"},
    {9, "Q5_1"},      {10, "Q2_K"},     {11, "Q3_K_S"},   {12, "Q3_K_M"}, {13, "Q3_K_L"},  {14, "Q4_K_S"},
    {15, "Q4_K_M"},   {16, "Q5_K_S"},   {17, "Q5_K_M"},   {18, "Q6_K"},   {19, "IQ2_XXS"}, {20, "IQ2_XS"},
    {21, "Q2_K_S"},   {22, "IQ3_XS"},   {23, "IQ3_XXS"},  {24, "IQ1_S"},  {25, "IQ4_NL"},  {26, "IQ3_S"},
    {27, "IQ3_M"},    {28, "IQ2_S"},    {29, "IQ2_M"},    {30, "IQ4_XS"}, {31, "IQ1_M"},   {32, "BF16"},
    {33, "Q4_0_4_4"}, {34, "Q4_0_4_8"}, {35, "Q4_0_8_8"}, {36, "TQ1_0"},  {37, "TQ2_0"},   {38, "MXFP4"},
    {39, "NVFP4"},    {40, "Q1_0"},     {41, "Q2_0"},     {4, "Q4_1"},
}};

}  // namespace

const GgufType* find_gguf_type(std::uint32_t id) { return id < kTypes.size() ? &kTypes[id] : nullptr; }

TensorFormat nearest_format(double bytes_per_weight) {
  const auto distance = [&](const GgufType& type) {
    return std::abs(static_cast<double>(type.bytes_per_block) / type.weights_per_block - bytes_per_weight);
  };
  return std::min_element(kTypes.begin(), kTypes.end(),
                          [&](const GgufType& a, const GgufType& b) { return distance(a) < distance(b); })
      ->format;
}

std::string_view gguf_file_type_name(std::int64_t file_type) {
  constexpr std::int64_t kGuessed = 1024;  // a flag that llama.cpp adds when it guessed the type itself
  const std::int64_t id = file_type >= kGuessed ? file_type - kGuessed : file_type;
  const auto found = std::find_if(kFileTypes.begin(), kFileTypes.end(), [&](const auto& e) { return e.first == id; });
  return found == kFileTypes.end() ? std::string_view() : found->second;
}

}  // namespace oblea
