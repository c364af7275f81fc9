#include "study/describe_model.hpp"

#include <gtest/gtest.h>

#include "support/repository.hpp"

namespace oblea {
namespace {

const Table& table_named(const Report& report, const std::string& name) {
  for (const Table& table : report.tables) {
    if (table.name == name) return table;
  }
  throw std::runtime_error("no table " + name);
}

// The number under `column` in the row that starts with these words and, where given, this context.
double cell(const Table& table, const std::string& words, double context, const std::string& column) {
  std::size_t at = 0;
  while (table.columns.at(at).name != column) ++at;
  for (const std::vector<Cell>& row : table.rows) {
    if (std::get<std::string>(row[0]) == words && std::get<double>(row[1]) == context) return std::get<double>(row[at]);
  }
  throw std::runtime_error("no row " + words);
}

// Gemma 3 27B: 10 full layers and 52 of window 1,024, 8,192 B a token and layer. At 131,072 tokens:
// 10 x 8192 x 131072 = 10 GiB; 52 x 8192 x 1024 = 0.406 GiB by windows alone, x 1.5 with llama.cpp's micro-batch;
// 62 x 1 GiB where an engine keeps no windows.
TEST(DescribeModel, ShowsTheCacheAsEnginesKeepWindows) {
  const Report report = describe_model(test::repository_model("gemma-3-27b"), {}).value();
  const Table& cache = table_named(report, "Cache and state of one request");
  EXPECT_NEAR(cell(cache, "windows alone", 131072, "f16_gib"), 10.40625, 1e-9);
  EXPECT_NEAR(cell(cache, "llama.cpp: window + 512", 131072, "f16_gib"), 10.609375, 1e-9);
  EXPECT_NEAR(cell(cache, "no windows kept", 131072, "f16_gib"), 62.0, 1e-9);
  EXPECT_NEAR(cell(cache, "no windows kept", 131072, "q8_0_gib"), 62.0 * 17 / 32, 1e-9);
  EXPECT_EQ(test::value_of(report.metrics, "kv_growing_bytes_per_token"), 81920);
  EXPECT_EQ(test::value_of(report.metrics, "kv_windowed_bytes_per_token"), 52 * 8192);
}

// Qwen3 1.7B: 2 x 28 x 8 x 128 x 2 B = 114,688 B a token; 131,072 tokens are 14 GiB.
TEST(DescribeModel, ShowsAnAskedContextBesideTheUsualOnes) {
  const Report report = describe_model(test::repository_model("qwen3-1.7b"), {"", Tokens(131072)}).value();
  const Table& cache = table_named(report, "Cache and state of one request");
  EXPECT_EQ(cache.rows.size(), 4u);  // 4,096, 32,768, its own 40,960, and the one asked
  EXPECT_NEAR(cell(cache, "any engine", 131072, "f16_gib"), 14.0, 1e-9);
}

TEST(DescribeModel, GroupsLayersOfOneShape) {
  const Report report = describe_model(test::repository_model("gemma-3-27b"), {}).value();
  const Table& layers = table_named(report, "Layers");
  ASSERT_EQ(layers.rows.size(), 2u);
  EXPECT_EQ(std::get<double>(layers.rows[0][1]) + std::get<double>(layers.rows[1][1]), 62);
}

TEST(DescribeModel, RefusesMixturesThatItCannotWeigh) {
  const ModelSpec model = test::repository_model("llama-3.1-8b");
  EXPECT_FALSE(describe_model(model, {"Q4_KM", {}}));
  EXPECT_FALSE(describe_model(model, {"STORED", {}}));
  EXPECT_TRUE(describe_model(model, {"Q4_K_M", {}}));
}

TEST(CompareModels, GivesARowEach) {
  const std::vector<ModelSpec> models = {test::repository_model("llama-3.1-8b"),
                                         test::repository_model("qwen3-30b-a3b")};
  const Report report = compare_models(models, {}).value();
  ASSERT_EQ(report.tables.size(), 1u);
  ASSERT_EQ(report.tables[0].rows.size(), 2u);
  EXPECT_EQ(std::get<std::string>(report.tables[0].rows[1][0]), "qwen3-30b-a3b");
  EXPECT_NEAR(std::get<double>(report.tables[0].rows[0][2]), 8.03, 0.01);
}

}  // namespace
}  // namespace oblea
