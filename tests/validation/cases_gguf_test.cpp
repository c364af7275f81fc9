// Public bug reports about reading GGUF headers (cases H01 to H21): each input of ours has the property that broke
// another tool, each answer is the report's or is reckoned from its numbers in the comment.
#include <chrono>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/gguf/model.hpp"
#include "llm/footprint.hpp"
#include "support/gguf_models.hpp"

namespace oblea {
namespace {

using test::GgufWriter;
using test::read_model_of;
using test::ReadModel;
using testing::AllOf;
using testing::HasSubstr;

constexpr double kMiB = 1 << 20;

// K and V of one request over all layers, in 16 bit; without states.
double cache_mib(const ModelSpec& model, double context) {
  const ModelFootprint footprint = make_footprint(model, *find_mixture("Q4_K_M"), KvFormat::f16);
  Bytes bytes{};
  for (const LayerFootprint& layer : footprint.layers) bytes += kv_bytes(layer, Tokens(context));
  return bytes.value() / kMiB;
}

GgufWriter header(const std::string& architecture, std::uint32_t layers, std::uint32_t hidden, std::uint32_t width,
                  std::uint32_t heads) {
  GgufWriter w(architecture);
  w.number(".block_count", layers).number(".context_length", 131072).number(".embedding_length", hidden);
  w.number(".feed_forward_length", width).number(".attention.head_count", heads).number(".vocab_size", 65536);
  return w;
}

// gpustack/gpustack 1686: a pruned 49B keeps head counts and widths per layer; the parser wanted numbers and panicked.
// Two attention layers of four, 64 heads of 128 in groups of 8 and 4: 2 x (8 + 16) x 128 x 2 B x 4096 = 48 MiB.
TEST(CaseH01, HeadCountsMayBeArrays) {
  GgufWriter w("deci");
  w.number(".block_count", 4).number(".context_length", 131072).number(".embedding_length", 8192);
  w.number(".vocab_size", 128256).number(".attention.key_length", 128).number(".attention.value_length", 128);
  w.numbers(".attention.head_count", {64, 0, 64, 0}).numbers(".attention.head_count_kv", {8, 0, 16, 0});
  w.numbers(".feed_forward_length", {28672, 14336, 5632, 28672});
  const ReadModel read = read_model_of(w);
  ASSERT_TRUE(read.model) << read.faults;
  EXPECT_EQ(read.attention(2).kv_heads, 16);
  EXPECT_EQ(read.attention(1).kind, AttentionKind::none);
  EXPECT_EQ(read.mlp(2).intermediate, 5632);
  EXPECT_EQ(cache_mib(*read.model, 4096), 48);
}

// gpustack/gguf-parser-go 31, LFM2 1.2B: only element 0 was read, which is 0, and the cache had no bytes at any
// context. 6 attention layers x 512 x 2 x 2 B x 32768 = 384 MiB, and an eighth of it at 4096.
TEST(CaseH02, ALayerWithoutCacheComesFirst) {
  GgufWriter w = header("lfm2", 16, 2048, 8192, 32);
  w.numbers(".attention.head_count_kv", {0, 0, 8, 0, 0, 8, 0, 0, 8, 0, 8, 0, 8, 0, 8, 0});
  const ReadModel bare = read_model_of(w);
  ASSERT_TRUE(bare.model) << bare.faults;
  EXPECT_EQ(cache_mib(*bare.model, 32768), 384);
  w.number(".shortconv.l_cache", 3);
  const ReadModel read = read_model_of(w);
  EXPECT_EQ(cache_mib(*read.model, 32768), 384);
  EXPECT_EQ(cache_mib(*read.model, 4096), 48);
  EXPECT_EQ(read.attention(0).kind, AttentionKind::conv);
}

// FlashML-org/FreeToken 63: equal counts are written as one number beside an array of 35 truth values (Gemma E2B).
// Every fifth layer attends to everything, 512 wide; the others to 512 tokens, 256 wide; one KV head. All layers:
// 7 x 1024 x 2 B x 32768 = 448 MiB and 28 x 512 x 2 B x 512 = 14 MiB. The last 20 share: 3 x 64 + 12 x 0.5 = 198 MiB.
TEST(CaseH03, OneNumberServesAllLayers) {
  GgufWriter w = header("gemma4", 35, 1536, 6144, 8);
  std::vector<bool> slides;
  for (int i = 0; i < 35; ++i) slides.push_back(i % 5 != 4);
  w.number(".attention.head_count_kv", 1).truths(".attention.sliding_window_pattern", slides);
  w.number(".attention.sliding_window", 512)
      .number(".attention.key_length", 512)
      .number(".attention.value_length", 512);
  w.number(".attention.key_length_swa", 256).number(".attention.value_length_swa", 256);
  const ReadModel read = read_model_of(w);
  ASSERT_TRUE(read.model) << read.faults;
  EXPECT_EQ(cache_mib(*read.model, 32768), 448 + 14);
  w.number(".attention.shared_kv_layers", 20);
  EXPECT_EQ(cache_mib(*read_model_of(w).model, 32768), 198);
}

// Osmantic/ODS 5508, Nemotron 3 Super: arrays were cut at 64 entries, and a guess of 3.5 GiB took their place.
// 8 attention layers x 2 KV heads x 128 x 2 x 2 B x 32768 = 0.25 GiB.
TEST(CaseH04, AnArrayOf88LayersIsReadWhole) {
  GgufWriter w = header("nemotron_h_moe", 88, 4096, 8192, 32);
  std::vector<std::int32_t> kv_heads(88, 0);
  for (const std::size_t layer : {7u, 16u, 25u, 36u, 47u, 58u, 69u, 78u}) kv_heads[layer] = 2;
  w.numbers(".attention.head_count_kv", kv_heads);
  w.number(".attention.key_length", 128).number(".attention.value_length", 128);
  const ReadModel read = read_model_of(w);
  ASSERT_TRUE(read.model) << read.faults;
  EXPECT_EQ(read.model->layers.size(), 88u);
  EXPECT_EQ(cache_mib(*read.model, 32768), 256);
}

// LostRuins/koboldcpp 1191: no head count in the file. Heads = layers was refused as a guess: TinyLlama has 22 layers
// and 32 heads. With the user's word for it: 22 x 2 x 4 x 64 x 2 B x 2048 = 44 MiB.
TEST(CaseH06, AMissingHeadCountIsNamedAndCanBeGiven) {
  GgufWriter w = header("llama", 22, 2048, 5632, 32);
  w.remove(".attention.head_count").number(".attention.head_count_kv", 4);
  const ReadModel read = read_model_of(w);
  ASSERT_FALSE(read.model);
  EXPECT_THAT(read.faults, AllOf(HasSubstr("the file lacks llama.attention.head_count"),
                                 HasSubstr("--override llama.attention.head_count=32")));
  const ReadModel given = read_model_of(w, {"llama.attention.head_count=32"});
  ASSERT_TRUE(given.model) << given.faults;
  EXPECT_EQ(cache_mib(*given.model, 2048), 44);
}

Result<GgufHeader> parse(const std::string& bytes, Diagnostics& warnings) {
  ByteReader reader(bytes, "t.gguf");
  return parse_gguf_header(reader, warnings);
}

// unslothai/unsloth 3124 and others: type 39 (MXFP4, 17 bytes for 32 weights) was unknown and hid gpt-oss.
TEST(CaseH09, SixtyFourWeightsInMxfp4Take34Bytes) {
  Diagnostics warnings;
  GgufWriter w("gpt-oss");
  w.tensor("blk.0.ffn_down_exps.weight", {64}, test::kMxfp4);
  const Result<GgufHeader> known = parse(w.bytes(), warnings);
  ASSERT_TRUE(known);
  EXPECT_EQ(known->tensors[0].bytes, 34u);
  EXPECT_TRUE(warnings.empty());
  GgufWriter newer("gpt-oss");
  newer.tensor("blk.0.ffn_down_exps.weight", {64}, 99, 34);
  const Result<GgufHeader> unknown = parse(newer.bytes(), warnings);
  ASSERT_TRUE(unknown) << "a type without a name takes the file's bytes";
  EXPECT_EQ(unknown->tensors[0].bytes, 34u);
  EXPECT_THAT(print_diagnostics(warnings), HasSubstr("type 99, which has no name here"));
}

// ggml-org/llama.cpp 15597: a vendor's file uses number 4, which others have dropped.
TEST(CaseH10, ADroppedTypeIsExplained) {
  Diagnostics warnings;
  GgufWriter w("gpt-oss");
  w.tensor("blk.0.ffn_down_exps.weight", {64}, 4, 40).tensor("output_norm.weight", {64}, test::kF32);
  ASSERT_TRUE(parse(w.bytes(), warnings));
  EXPECT_THAT(print_diagnostics(warnings), HasSubstr("type 4 (Q4_2): dropped in May 2023"));
}

// leejet/stable-diffusion.cpp 1397, ggml-org/llama.cpp 24263, 25378, 18674, 19856 and others: tiny files that ask for
// terabytes, divide by zero, recurse or wrap. tests/unit/io/gguf_header_test.cpp has fifty more.
TEST(CaseH16, HostileHeadersAreRefusedAtOnce) {
  using test::gguf_start;
  using test::gguf_text;
  using test::u32;
  using test::u64;
  const auto alignment = [](std::uint32_t value) {
    return gguf_start(0, 1) + gguf_text("general.alignment") + u32(test::kU32) + u32(value);
  };
  const auto tensor = [](std::uint32_t dims, const std::string& rest) {
    return gguf_start(1, 0) + gguf_text("t") + u32(dims) + rest + std::string(64, '\0');
  };
  const std::string array = gguf_text("x") + u32(test::kArray);
  const std::pair<std::string, const char*> files[] = {
      {gguf_start(0, 1) + u64((1ull << 48) - 1), "at byte 24: a key's name declares 281474976710655 bytes"},
      {tensor(2, u64(0) + u64(2048)), "at byte 37: tensor \"t\" has a dimension of 0"},
      {alignment(0), "at byte 49: general.alignment is 0"},
      {alignment(1u << 30), "at byte 49: general.alignment is 1073741824"},
      {tensor(0xFFFFFFFF, ""), "at byte 33: tensor \"t\" has 4294967295 dimensions"},
      {tensor(2, u64((1ull << 42) + 1) + u64(1152)), "at byte 24: tensor \"t\" has 5066549580792960 weights"},
      {gguf_start(0, 1) + array + u32(test::kArray) + u64(1) + u32(test::kArray) + u64(1),
       "at byte 37: an array of arrays"},
      {gguf_start(0, 1) + gguf_text("") + u32(test::kU32) + u32(1), "at byte 24: a key with an empty name"},
      {gguf_start(0, 1) + gguf_text("n") + u32(test::kText) + u64(1 << 30) + "abc",
       "a text declares 1073741824 bytes"}};
  for (const auto& [bytes, words] : files) {
    Diagnostics warnings;
    const auto start = std::chrono::steady_clock::now();
    const Result<GgufHeader> read = parse(bytes, warnings);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    ASSERT_FALSE(read) << words;
    EXPECT_THAT(print_diagnostics(read.error()), HasSubstr(words));
    EXPECT_LT(took.count(), 0.05) << words;
  }
}

// alvarobartt/hf-mem 22: a repository of GGUF files alone crashed a tool that wanted safetensors.
TEST(CaseH21, AFolderOfQuantisationsIsListedAndTheUserAsked) {
  test::TemporaryFolder folder;
  for (const auto& [name, type] : {std::pair("m-Q4_K_M.gguf", 15u), std::pair("m-Q8_0.gguf", 7u)}) {
    header("llama", 2, 64, 128, 4).number("general.file_type", type).write(folder.path(name));
  }
  const Result<std::vector<GgufSet>> sets = list_gguf_models(folder.path());
  ASSERT_TRUE(sets);
  ASSERT_EQ(sets->size(), 2u);
  EXPECT_EQ((*sets)[0].label, "Q4_K_M");
  EXPECT_EQ((*sets)[1].label, "Q8_0");
  Diagnostics warnings;
  const Result<ModelSpec> model = import_model(folder.path(), {}, warnings);
  ASSERT_FALSE(model);
  EXPECT_THAT(print_diagnostics(model.error()), AllOf(HasSubstr("m-Q4_K_M.gguf"), HasSubstr("m-Q8_0.gguf")));
}

}  // namespace
}  // namespace oblea
