// `oblea import model` and models read from their own files, as a user meets them.
#include <gtest/gtest.h>

#include "support/gguf_models.hpp"
#include "support/repository.hpp"
#include "support/run_command.hpp"
#include "support/temporary_folder.hpp"

namespace oblea {
namespace {

using test::CommandResult;
using test::GgufWriter;
using test::run_oblea;
using test::TemporaryFolder;

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// Two layers of 64, 4 heads, 2 KV heads of 16, feed-forward 128, 100 words.
GgufWriter small_model() {
  GgufWriter writer = test::small_keys();
  writer.number(".attention.head_count_kv", 2).number("general.file_type", 15);
  test::add_ends(writer);
  for (int layer = 0; layer < 2; ++layer) {
    test::add_attention(writer, layer, 64, 64, 32);
    writer.tensor(test::block(layer, "ffn_gate.weight"), {64, 128});
    writer.tensor(test::block(layer, "ffn_up.weight"), {64, 128});
    writer.tensor(test::block(layer, "ffn_down.weight"), {128, 64});
  }
  return writer;
}

TEST(ImportModel, DescribesAFileAndKeepsIt) {
  const TemporaryFolder folder;
  const std::string file = small_model().write(folder.path("small-Q4_K_M.gguf"));
  const CommandResult described = run_oblea({"import", "model", file});
  EXPECT_EQ(described.exit_code, 0) << described.err;
  EXPECT_TRUE(holds(described.out, "full: 4 heads, 2 KV, width 16")) << described.out;
  // 2 layers x 2 x 2 x 16 x 2 B a token.
  EXPECT_TRUE(holds(described.out, "kv_growing_bytes_per_token")) << described.out;
  EXPECT_TRUE(holds(described.out, "256"));
  const std::string out = folder.path("kept.json");
  ASSERT_EQ(run_oblea({"import", "model", file, "--out", out}).exit_code, 0);
  const CommandResult checked = run_oblea({"profiles", "check", out});
  EXPECT_EQ(checked.exit_code, 0) << checked.err;
  const CommandResult again = run_oblea({"import", "model", out, "--csv"});
  const CommandResult first = run_oblea({"import", "model", file, "--csv"});
  EXPECT_EQ(again.out, first.out);
}

TEST(ImportModel, AFileTakesThePlaceOfAnId) {
  const TemporaryFolder folder;
  const std::string file = small_model().write(folder.path("small-Q4_K_M.gguf"));
  const CommandResult placed =
      run_oblea({"place", test::repository_path("scenarios/homelab/single-3090-qwen3-32b.json"), "--model", file,
                 "--context", "4096"});
  EXPECT_EQ(placed.exit_code, 0) << placed.err;
  EXPECT_TRUE(holds(placed.out, "Q4_K_M (as stored)")) << placed.out;
  EXPECT_TRUE(holds(placed.out, "llama-server -m " + file)) << placed.out;
  const CommandResult other = run_oblea({"place", test::repository_path("scenarios/homelab/single-3090-qwen3-32b.json"),
                                         "--model", file, "--context", "4096", "--quant", "Q8_0"});
  EXPECT_FALSE(holds(other.out, "as stored")) << other.out;
}

TEST(ImportModel, APathInAScenarioStandsBesideIt) {
  const TemporaryFolder folder;
  folder.write("models/small.gguf", small_model().bytes());
  const std::string scenario = folder.write("a/s.json", R"({"model": {"id": "../models/small.gguf"},
    "cluster": {"nodes": [{"host": "am4-b550-ryzen-5600", "devices": ["rtx-3060-12"]}]}, "workload": {"context": 2048}})");
  const CommandResult placed = run_oblea({"place", scenario});
  EXPECT_EQ(placed.exit_code, 0) << placed.err;
}

TEST(ImportModel, WhatIsMissingIsNamedAndCanBeGiven) {
  const TemporaryFolder folder;
  const std::string file = test::small_keys().remove("llama.attention.head_count").write(folder.path("m.gguf"));
  const CommandResult incomplete = run_oblea({"import", "model", file});
  EXPECT_EQ(incomplete.exit_code, 0);
  EXPECT_TRUE(holds(incomplete.out, "no-plan")) << incomplete.out;
  EXPECT_TRUE(holds(incomplete.out, "llama.attention.head_count")) << incomplete.out;
  EXPECT_EQ(run_oblea({"import", "model", file, "--out", folder.path("m.json")}).exit_code, 2);
  const CommandResult placed =
      run_oblea({"place", test::repository_path("scenarios/homelab/single-3090-qwen3-32b.json"), "--model", file});
  EXPECT_EQ(placed.exit_code, 2);
  EXPECT_TRUE(holds(placed.err, "llama.attention.head_count")) << placed.err;
  const CommandResult given = run_oblea({"import", "model", file, "--override", "llama.attention.head_count=4"});
  EXPECT_EQ(given.exit_code, 0) << given.err;
  EXPECT_TRUE(holds(given.out, "4 heads"));
}

TEST(ImportModel, ABrokenFileIsRefusedAtOnce) {
  const TemporaryFolder folder;
  const std::string file =
      folder.write("bad.gguf", "GGUF" + test::u32(3) + test::u64(1) + test::u64(1) + test::u64(~0ull));
  const CommandResult refused = run_oblea({"import", "model", file});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_TRUE(holds(refused.err, "bad.gguf: error: at byte 24")) << refused.err;
  EXPECT_LT(refused.cpu_s, 0.05);
}

// A name is what its author likes: an escape sequence, a formula, a quote that ends the shell's word.
TEST(ImportModel, NamesFromFilesSteerNothing) {
  const TemporaryFolder folder;
  const std::string name = "=cmd|' /C calc'!A0\x1b]0;owned\x07\xE2\x80\xAE";
  const std::string file = small_model().text("general.name", name).write(folder.path("it's; $(x).gguf"));
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"import", "model", file},
        {"import", "model", file, "--csv"},
        {"import", "model", file, file, "--csv"},
        {"place", test::repository_path("scenarios/homelab/single-3090-qwen3-32b.json"), "--model", file, "--context",
         "4096"},
        {"place", test::repository_path("scenarios/homelab/single-3090-qwen3-32b.json"), "--model", file, "--context",
         "4096", "--csv"}}) {
    const CommandResult result = run_oblea(command);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    for (const std::string& text : {result.out, result.err}) {
      EXPECT_EQ(text.find('\x1b'), std::string::npos);
      EXPECT_EQ(text.find('\x07'), std::string::npos);
      EXPECT_EQ(text.find("\xE2\x80\xAE"), std::string::npos);
      if (command.back() == "--csv") {
        EXPECT_FALSE(holds(text, "\n=")) << text;
        EXPECT_FALSE(holds(text, ",=")) << text;
      }
    }
    if (command.front() == "place" && command.back() != "--csv") {
      EXPECT_TRUE(holds(result.out, "it'\\''s; $(x).gguf' -ngl")) << result.out;
    }
  }
}

TEST(ImportModel, ManyMakeATableAndOneBadOneDoesNotHideTheRest) {
  const TemporaryFolder folder;
  const std::string good = small_model().write(folder.path("good.gguf"));
  const std::string config = folder.write("config.json", R"({"model_type": "llama", "hidden_size": 64,
    "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2, "intermediate_size": 128,
    "vocab_size": 100, "max_position_embeddings": 4096, "tie_word_embeddings": true})");
  const std::string bad = folder.write("bad.gguf", "GGUF");
  const CommandResult table = run_oblea({"import", "model", good, config, bad});
  EXPECT_EQ(table.exit_code, 2);
  EXPECT_TRUE(holds(table.out, "What are these 2 models?")) << table.out;
  EXPECT_TRUE(holds(table.err, "bad.gguf: error:")) << table.err;
  EXPECT_EQ(run_oblea({"import", "model", good, config}).exit_code, 0);
}

TEST(ImportModel, AFolderOfSeveralAsksWhich) {
  const TemporaryFolder folder;
  small_model().write(folder.path("m-Q4_K_M.gguf"));
  small_model().write(folder.path("m-Q8_0.gguf"));
  const CommandResult asked = run_oblea({"import", "model", folder.path()});
  EXPECT_EQ(asked.exit_code, 2);
  EXPECT_TRUE(holds(asked.err, "m-Q4_K_M.gguf")) << asked.err;
  EXPECT_TRUE(holds(asked.err, "m-Q8_0.gguf")) << asked.err;
}

TEST(ImportModel, SomethingElseIsNamedAsWhatItIs) {
  const TemporaryFolder folder;
  const std::string pointer = folder.write("m.gguf", "version https://git-lfs.github.com/spec/v1\noid sha256:0\n");
  const CommandResult refused = run_oblea({"import", "model", pointer});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_TRUE(holds(refused.err, "git-lfs pointer")) << refused.err;
  EXPECT_EQ(run_oblea({"import", "model", folder.path("none.gguf")}).exit_code, 2);
  EXPECT_EQ(run_oblea({"import", "model", "/dev/null"}).exit_code, 2);
}

}  // namespace
}  // namespace oblea
