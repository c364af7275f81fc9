// Predicted against published file sizes: the mixtures' proof.
#include <gtest/gtest.h>

#include "unit/llm/library_models.hpp"

namespace oblea {
namespace {

struct FileCase {
  const char* mixture;
  double published;
  double tolerance;  // relative: 1 % for K-quants and legacy, 2 % for IQ, unless the comment at the row says why
};

void expect_files(const char* model, double unit, std::initializer_list<FileCase> cases) {
  for (const FileCase& c : cases) {
    const double ours = test::file_bytes(model, c.mixture) / unit;
    EXPECT_NEAR(ours / c.published, 1, c.tolerance) << model << " " << c.mixture << ": " << ours;
  }
}

// llama.cpp tools/quantize/README.md, commit 311c2c9, Llama 3.1 8B, bits a weight. IQ4_XS and IQ4_NL were made there
// without an importance matrix, which puts the first FFN layers in Q5_K: we assume one, as published files have.
TEST(FileSize, OfLlama31EightBAgreesWithLlamaCppInBitsAWeight) {
  expect_files(
      "llama-3.1-8b", 8.030261248e9 / 8,
      {{"F16", 16.0005, 0.001},    {"Q8_0", 8.5008, 0.001},   {"Q6_K", 6.5633, 0.001},   {"Q5_K_M", 5.7036, 0.001},
       {"Q5_K_S", 5.5704, 0.001},  {"Q4_K_M", 4.8944, 0.001}, {"Q4_K_S", 4.6672, 0.001}, {"Q3_K_L", 4.2979, 0.001},
       {"Q3_K_S", 3.6429, 0.001},  {"Q2_K", 3.1593, 0.001},   {"Q2_K_S", 2.9697, 0.001}, {"IQ4_NL", 4.6818, 0.01},
       {"IQ4_XS", 4.4597, 0.01},   {"IQ3_M", 3.7628, 0.001},  {"IQ3_S", 3.6606, 0.001},  {"IQ3_XS", 3.4977, 0.001},
       {"IQ3_XXS", 3.2548, 0.001}, {"IQ2_M", 2.9294, 0.001},  {"IQ2_S", 2.7403, 0.001},  {"IQ2_XS", 2.5882, 0.001},
       {"IQ2_XXS", 2.3824, 0.001}, {"IQ1_M", 2.146, 0.001},   {"IQ1_S", 2.0042, 0.001}});
}

// bartowski/Llama-3.3-70B-Instruct-GGUF, file list of 2024-12, GB (three digits, hence 0.5 %).
TEST(FileSize, OfLlama33SeventyBAgreesWithPublishedFiles) {
  expect_files("llama-3.3-70b", 1e9,
               {{"Q5_K_M", 49.9, 0.005},  {"Q5_K_S", 48.7, 0.005}, {"Q4_K_L", 43.3, 0.005},  {"Q4_K_M", 42.5, 0.005},
                {"Q4_K_S", 40.3, 0.005},  {"Q4_0", 40.1, 0.005},   {"IQ4_XS", 37.9, 0.005},  {"Q3_K_L", 37.1, 0.005},
                {"Q3_K_M", 34.3, 0.005},  {"IQ3_M", 31.9, 0.005},  {"Q3_K_S", 30.9, 0.005},  {"IQ3_XS", 29.3, 0.005},
                {"IQ3_XXS", 27.5, 0.005}, {"Q2_K_L", 27.4, 0.005}, {"Q2_K", 26.4, 0.005},    {"IQ2_M", 24.1, 0.005},
                {"IQ2_S", 22.2, 0.005},   {"IQ2_XS", 21.1, 0.005}, {"IQ2_XXS", 19.1, 0.005}, {"IQ1_M", 16.8, 0.005}});
}

// The same files in the unit of a card's memory.
TEST(FileSize, OfLlama33SeventyBInGiBIsWhatACardMustHold) {
  expect_files("llama-3.3-70b", kGiB.value(),
               {{"Q4_K_M", 39.6, 0.005},
                {"Q4_K_S", 37.5, 0.005},
                {"IQ3_XXS", 25.6, 0.005},
                {"Q2_K", 24.6, 0.005},
                {"IQ2_M", 22.4, 0.005}});
}

// bartowski and mradermacher file lists of Mistral Large, 2024-11, GB. Their IQ4_XS is an older recipe's: 1.0 %.
TEST(FileSize, OfMistralLargeAgreesWithPublishedFiles) {
  expect_files("mistral-large-2411-123b", 1e9,
               {{"Q8_0", 130.4, 0.005},
                {"Q6_K", 100.7, 0.005},
                {"Q5_K_M", 86.6, 0.005},
                {"Q4_K_M", 73.3, 0.005},
                {"IQ4_XS", 66.1, 0.02},
                {"Q3_K_M", 59.2, 0.005},
                {"Q3_K_S", 52.9, 0.005},
                {"IQ3_XXS", 47.0, 0.005},
                {"Q2_K", 45.2, 0.005},
                {"IQ2_M", 41.6, 0.005},
                {"IQ2_XS", 36.1, 0.005},
                {"IQ2_XXS", 32.4, 0.005}});
}

// The published 405B files are of the first release, which held every KV head twice (16 in all, 410 B parameters).
// etemiz' list of 2024. llama.cpp's README gives 249.1 GB for Q4_K_M, 1.4 % above its own recipe.
TEST(FileSize, OfTheFirst405BAgreesWithPublishedFiles) {
  ModelSpec model = test::library_model("llama-3.1-405b");
  for (Layer& layer : model.layers) layer.attention.kv_heads = 16;
  const FileCase cases[] = {{"IQ1_S", 86.8, 0.005},
                            {"IQ1_M", 95.1, 0.005},
                            {"IQ2_XXS", 109, 0.005},
                            {"IQ3_XXS", 157.7, 0.005},
                            {"Q4_K_M", 249.1, 0.02}};
  for (const FileCase& c : cases) {
    const double ours = make_footprint(model, *find_mixture(c.mixture)).weights().value() / 1e9;
    EXPECT_NEAR(ours / c.published, 1, c.tolerance) << c.mixture << ": " << ours;
  }
}

// llama.cpp's README for k-quants, Llama 2 70B, bits a weight (three digits). Its Q2_K of 3.4 is the recipe of
// mid-2023.
TEST(FileSize, OfLlama2SeventyBAgreesWithTheKQuantTable) {
  expect_files("llama-2-70b", 68.977e9 / 8,
               {{"Q6_K", 6.56, 0.01},
                {"Q5_K_M", 5.65, 0.01},
                {"Q5_K_S", 5.50, 0.01},
                {"Q4_K_M", 4.80, 0.01},
                {"Q4_K_S", 4.53, 0.01},
                {"Q3_K_L", 4.19, 0.01},
                {"Q3_K_M", 3.85, 0.01},
                {"Q3_K_S", 3.47, 0.01}});
}

// Sizes that llama-bench printed beside public measurements, GB. Llama 2 7B Q4_0 was made without an importance matrix.
TEST(FileSize, AgreesWithWhatLlamaBenchPrints) {
  expect_files("llama-2-7b", 1e9, {{"F16", 13.4755, 0.002}, {"Q4_0", 3.8225, 0.005}});
  expect_files("llama-2-13b", 1e9, {{"Q4_K_M", 7.8705, 0.002}});
  expect_files("llama-3.2-3b", 1e9, {{"Q4_K_M", 2.0079, 0.005}});
  expect_files("tinyllama-1.1b", 1e9, {{"Q4_K_M", 0.6668, 0.002}});
  expect_files("qwen2.5-7b", 1e9, {{"Q5_K_S", 5.3043, 0.002}});  // Qwen2 7B, same geometry
  expect_files("qwen3-30b-a3b", 1e9, {{"Q8_0", 32.4807, 0.002}, {"IQ4_XS", 16.4497, 0.01}});
  expect_files("deepseek-r1", 1e9, {{"Q4_K_M", 404.4249, 0.002}});
  expect_files("glm-4.7-flash", 1e9, {{"BF16", 59.9041, 0.002}});
  expect_files("qwen3.6-35b-a3b", 1e9, {{"BF16", 69.3637, 0.002}});
}

// gpt-oss: ggml-org's MXFP4 files as llama-bench prints them (12.101, 63.372 GB), unsloth's 20B list (F16 13.8,
// Q4_K_M 11.6, Q2_K 11.5), and OpenAI's own 120B checkpoint (65.2).
TEST(FileSize, OfGptOssAgreesWithPublishedFiles) {
  expect_files("gpt-oss-20b", 1e9,
               {{"MXFP4", 12.101, 0.002}, {"F16", 13.8, 0.005}, {"Q4_K_M", 11.6, 0.005}, {"Q2_K", 11.5, 0.005}});
  expect_files("gpt-oss-120b", 1e9, {{"MXFP4", 63.372, 0.002}, {"MXFP4_BF16", 65.2, 0.002}});
}

// Kimi K2 Thinking and K2.5 are published with INT4 experts in groups of 32: 594 GB, as widely repeated (not
// re-checked).
TEST(FileSize, OfKimiK2WithFourBitExpertsAgrees) { expect_files("kimi-k2.5", 1e9, {{"INT4_MOE", 594, 0.005}}); }

}  // namespace
}  // namespace oblea
