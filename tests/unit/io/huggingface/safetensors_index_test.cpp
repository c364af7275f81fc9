#include "io/huggingface/safetensors_index.hpp"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/limits.hpp"
#include "io/huggingface/config_model.hpp"
#include "llm/footprint.hpp"
#include "support/temporary_folder.hpp"

namespace oblea {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

const char* kConfig = R"({"model_type": "llama", "num_hidden_layers": 2, "hidden_size": 64, "intermediate_size": 128,
 "num_attention_heads": 4, "num_key_value_heads": 4, "vocab_size": 1000, "max_position_embeddings": 512,
 "tie_word_embeddings": false})";

// Its weights in 16 bits: 2 x (4 x 64 x 64 + 3 x 64 x 128 + 2 x 64) + 2 x 64,000 + 64 = 210,240 weights.
constexpr double kBytes = 2 * 210'240;

struct Entry {
  std::string name;
  std::string dtype;
  std::uint64_t bytes;
};

// Length, JSON and as many zero bytes as the tensors say, less `cut`.
std::string safetensors(const std::vector<Entry>& entries, std::size_t cut = 0) {
  std::string json = R"({"__metadata__": {"format": "pt"})";
  std::uint64_t at = 0;
  for (const Entry& entry : entries) {
    json += ", \"" + entry.name + R"(": {"dtype": ")" + entry.dtype + R"(", "shape": [1], "data_offsets": [)" +
            std::to_string(at) + ", " + std::to_string(at + entry.bytes) + "]}";
    at += entry.bytes;
  }
  json += "}";
  std::string file;
  for (int i = 0; i < 8; ++i) file += static_cast<char>(json.size() >> (8 * i) & 0xff);
  file += json + std::string(at, '\0');
  return file.substr(0, file.size() - cut);
}

std::vector<Entry> llama_tensors() {
  std::vector<Entry> entries = {{"model.embed_tokens.weight", "BF16", 128'000},
                                {"model.norm.weight", "BF16", 128},
                                {"lm_head.weight", "BF16", 128'000}};
  for (const char* layer : {"0", "1"}) {
    const std::string prefix = std::string("model.layers.") + layer;
    entries.push_back({prefix + ".self_attn.q_proj.weight", "BF16", 4 * 64 * 64 * 2});
    entries.push_back({prefix + ".mlp.gate_proj.weight", "BF16", 3 * 64 * 128 * 2});
    entries.push_back({prefix + ".input_layernorm.weight", "BF16", 2 * 64 * 2});
  }
  return entries;
}

struct Read {
  ModelSpec model;
  std::string warnings;
};

Read read(const test::TemporaryFolder& folder) {
  folder.write("config.json", kConfig);
  Diagnostics warnings;
  Result<ModelSpec> model = read_config_model(folder.path() + "/config.json", {}, warnings);
  if (!model) throw std::runtime_error(print_diagnostics(model.error()));
  return {std::move(*model), print_diagnostics(warnings)};
}

TEST(Safetensors, BytesOfEveryLayerComeFromTheHeader) {
  const test::TemporaryFolder folder;
  folder.write("model.safetensors", safetensors(llama_tensors()));
  const Read result = read(folder);
  EXPECT_THAT(result.warnings, IsEmpty());
  ASSERT_TRUE(result.model.stored);
  EXPECT_EQ(result.model.stored->total().value(), kBytes);
  EXPECT_EQ(result.model.stored->layers[0].trunk.total().value(), 2.0 * (4 * 64 * 64 + 3 * 64 * 128 + 2 * 64));
  EXPECT_EQ(result.model.stored->embedding.total().value(), 128'000);
  const ModelFootprint stored = make_footprint(result.model, *find_mixture(kStoredMixture));
  EXPECT_EQ(stored.weights().value(), kBytes);
}

TEST(Safetensors, ShardsAreFoundThroughTheIndex) {
  const test::TemporaryFolder folder;
  std::vector<Entry> all = llama_tensors();
  const std::vector<Entry> first(all.begin(), all.begin() + 4), second(all.begin() + 4, all.end());
  folder.write("model-1.safetensors", safetensors(first));
  folder.write("model-2.safetensors", safetensors(second));
  folder.write("model.safetensors.index.json", R"({"metadata": {"total_size": 420480}, "weight_map": {
      "a": "model-1.safetensors", "b": "model-2.safetensors", "c": "model-1.safetensors"}})");
  const Read result = read(folder);
  ASSERT_TRUE(result.model.stored);
  EXPECT_EQ(result.model.stored->total().value(), kBytes);
  EXPECT_THAT(result.warnings, IsEmpty());
}

// 420,480 bytes by the geometry; 2 % is 8,409.
TEST(Safetensors, AnIndexAloneChecksTheTotal) {
  const test::TemporaryFolder folder;
  folder.write("model.safetensors.index.json",
               R"({"metadata": {"total_size": 420480}, "weight_map": {"a": "model-1.safetensors"}})");
  EXPECT_THAT(read(folder).warnings, IsEmpty());
  EXPECT_FALSE(read(folder).model.stored);
  folder.write("model.safetensors.index.json",
               R"({"metadata": {"total_size": 840960}, "weight_map": {"a": "model-1.safetensors"}})");
  EXPECT_THAT(read(folder).warnings, HasSubstr("50.0 % off"));
}

TEST(Safetensors, AFolderWithSomeOfTheShardsKeepsTheGeometry) {
  const test::TemporaryFolder folder;
  folder.write("model-1.safetensors", safetensors(llama_tensors()));
  folder.write("model.safetensors.index.json", R"({"metadata": {"total_size": 420480}, "weight_map": {
      "a": "model-1.safetensors", "b": "model-2.safetensors"}})");
  const Read result = read(folder);
  EXPECT_FALSE(result.model.stored);
  EXPECT_THAT(result.warnings, HasSubstr("1 of its 2 files are not here"));
}

TEST(Safetensors, AnIndexThatLeadsElsewhereIsNotFollowed) {
  for (const char* name : {"../secret", "/etc/passwd", "a\\\\b", ".", ""}) {
    const test::TemporaryFolder folder;
    folder.write("model.safetensors.index.json", std::string(R"({"weight_map": {"a": ")") + name + R"("}})");
    const Read result = read(folder);
    EXPECT_FALSE(result.model.stored);
    EXPECT_THAT(result.warnings, HasSubstr("is no name of a file in this folder")) << name;
  }
}

TEST(Safetensors, BrokenFilesAreNamedAndTheGeometryStands) {
  const std::string good = safetensors(llama_tensors());
  const struct {
    std::string bytes;
    const char* says;
  } cases[] = {
      {"", "0 bytes are too few"},
      {"\x10", "1 bytes are too few"},
      {good.substr(0, 100), "a header of"},
      {std::string("\xff\xff\xff\xff\xff\xff\xff\xff", 8) + good, "offset 0: a header of 18446744073709551615 bytes"},
      {std::string("\x04\0\0\0\0\0\0\0{{{{", 12), "not valid JSON"},
      {std::string("\x08\0\0\0\0\0\0\0{\"a\":{}}", 16), "tensor \"a\" has no type or no bytes"},
  };
  for (const auto& c : cases) {
    const test::TemporaryFolder folder;
    folder.write("model.safetensors", c.bytes);
    const Read result = read(folder);
    EXPECT_FALSE(result.model.stored) << c.says;
    EXPECT_THAT(result.warnings, HasSubstr(c.says));
  }
}

TEST(Safetensors, AnUnfinishedDownloadStillCountsByItsHeader) {
  const test::TemporaryFolder folder;
  folder.write("model.safetensors", safetensors(llama_tensors(), 1000));
  const Read result = read(folder);
  ASSERT_TRUE(result.model.stored);
  EXPECT_EQ(result.model.stored->total().value(), kBytes);
  EXPECT_THAT(result.warnings, HasSubstr("the download is not finished"));
}

TEST(Safetensors, TensorsAreSortedByTheirNames) {
  const std::vector<SafeTensor> tensors = {
      {"model.language_model.embed_tokens.weight", "BF16", 1},
      {"model.layers.0.mlp.experts.7.down_proj.weight_packed", "U8", 10},
      {"model.layers.0.mlp.experts.7.down_proj.weight_scale", "F8_E4M3", 20},
      {"model.layers.0.mlp.shared_experts.down_proj.weight", "BF16", 100},
      {"model.layers.0.mlp.gate.weight", "F32", 200},
      {"transformer.h.1.attn.c_attn.weight", "F16", 1000},
      {"model.layers.2.mlp.experts.0.up_proj.weight", "BF16", 10'000},  // a layer past the last: prediction
      {"model.visual.blocks.0.attn.qkv.weight", "BF16", 20'000},
      {"mtp.fc.weight", "BF16", 40'000},
      {"lm_head.weight", "BF16", 100'000},
      {"model.norm.weight", "BF16", 7},
  };
  const StoredWeights stored = sort_tensors(tensors, 2, "NVFP4");
  const auto of = [](const FormatBytes& bytes, TensorFormat format) {
    return bytes.bytes[static_cast<std::size_t>(format)];
  };
  EXPECT_EQ(stored.label, "NVFP4");
  EXPECT_EQ(of(stored.layers[0].experts, TensorFormat::nvfp4), 30);
  EXPECT_EQ(of(stored.layers[0].trunk, TensorFormat::bf16), 100);
  EXPECT_EQ(of(stored.layers[0].trunk, TensorFormat::f32), 200);
  EXPECT_EQ(of(stored.layers[1].trunk, TensorFormat::f16), 1000);
  EXPECT_EQ(of(stored.layers[1].trunk, TensorFormat::bf16), 7);
  EXPECT_EQ(stored.extra.total().value(), 70'000);
  EXPECT_EQ(stored.head.total().value(), 100'000);
  EXPECT_EQ(stored.embedding.total().value(), 1);
}

// Holes of zeros: at the limit the header is read and found to be no JSON; one byte more is refused unread.
TEST(Safetensors, AHeaderAtTheLimitIsReadAndOnePastItRefused) {
  for (const std::size_t past : {std::size_t{0}, std::size_t{1}}) {
    const test::TemporaryFolder folder;
    const std::uint64_t length = kMaxSafetensorsHeaderBytes + past;
    std::string prefix;
    for (int i = 0; i < 8; ++i) prefix += static_cast<char>(length >> (8 * i) & 0xff);
    const std::string path = folder.write("model.safetensors", prefix);
    std::filesystem::resize_file(path, length + 8);
    Diagnostics warnings;
    const auto header = read_safetensors_header(path, warnings);
    ASSERT_FALSE(header);
    EXPECT_THAT(header.error().front().message, HasSubstr(past == 0 ? "not valid JSON" : "the limit is 100000000"));
  }
}

TEST(Safetensors, AnIndexAtItsLimitsIsReadAndOnePastThemRefused) {
  for (const std::size_t past : {std::size_t{0}, std::size_t{1}}) {
    const test::TemporaryFolder folder;
    std::string map;
    for (std::size_t i = 0; i < kMaxSafetensorsShards + past; ++i)
      map += (i > 0 ? ", \"" : "\"") + std::to_string(i) + "\": \"" + std::to_string(i) + ".safetensors\"";
    const std::string path = folder.write("index.json", "{\"weight_map\": {" + map + "}}");
    EXPECT_EQ(read_safetensors_index(path).has_value(), past == 0);
  }
  for (const std::size_t past : {std::size_t{0}, std::size_t{1}}) {
    const test::TemporaryFolder folder;
    const std::string path = folder.write("index.json", R"({"weight_map": {"a": "a.safetensors"}})");
    std::filesystem::resize_file(path, kMaxSafetensorsIndexBytes + past);  // the hole of zeros ends the JSON
    EXPECT_EQ(read_safetensors_index(path).has_value(), past == 0);
  }
}

}  // namespace
}  // namespace oblea
