// Parameters computed from the geometry of published config.json files, against the published counts: the committed
// table is recomputed, row by row.
#include <cmath>
#include <fstream>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "validation/geometry_models.hpp"

namespace oblea {
namespace {

using test::PublishedModel;

double error_of(const PublishedModel& published) {
  const double ours = test::counted_parameters(test::import_config(published.config), published.counts_all);
  return ours / published.parameters - 1;
}

std::string row_of(const PublishedModel& published) {
  const ModelSpec model = test::import_config(published.config);
  const double ours = test::counted_parameters(model, published.counts_all);
  const std::string row = fmt::format("| {} | {} | {:.3f} | ", published.name, published.model_type, ours / 1e9);
  if (published.parameters <= 0) return row + "| | |\n";
  return row + fmt::format("{:.3f} | {:+.2f} % | {}{} |\n", published.parameters / 1e9,
                           (ours / published.parameters - 1) * 100, published.source,
                           published.counts_all ? "; with towers and positions" : "");
}

std::string table() {
  std::string text =
      "# Parameters by geometry, against the published counts\n\n"
      "Made by `parameter_counts_test.cpp` from `geometry/models.json`; in 1e9. A row without a published count has "
      "none "
      "that\nnames more than \"7B\". Text models without multi-token-prediction layers, unless the row says otherwise. "
      "DBRX is here\nas its maker describes it: a config.json with 48 layers and 12 KV heads is in circulation, which "
      "would hold 158.\n\n"
      "| model | model type | computed | published | error | source |\n|---|---|---|---|---|---|\n";
  int within = 0, published = 0;
  for (const PublishedModel& model : test::published_models()) {
    text += row_of(model);
    if (model.parameters <= 0) continue;
    ++published;
    within += std::abs(error_of(model)) <= 0.01 ? 1 : 0;
  }
  return text + fmt::format("\n{} of {} within 1 %.\n", within, published);
}

TEST(ParameterCounts, TheCommittedTableIsWhatTheGeometryGives) {
  const std::string committed = test::read_file(test::repository_path("tests/validation/parameter_counts.md"));
  const std::string now = table();
  if (committed == now) return;
  const std::string binary = OBLEA_BINARY;
  const std::string path = binary.substr(0, binary.rfind('/') + 1) + "parameter_counts.new.md";
  std::ofstream(path, std::ios::binary) << now;
  ADD_FAILURE() << "tests/validation/parameter_counts.md differs from what is computed now, which is in " << path;
}

class PublishedGeometry : public testing::TestWithParam<PublishedModel> {};

// DeepSeek publishes V4 Pro as "1.6T", to two digits.
TEST_P(PublishedGeometry, IsWithinOnePercentOfThePublishedCount) {
  const double tolerance = GetParam().name == "deepseek-v4-pro" ? 0.02 : 0.01;
  EXPECT_NEAR(error_of(GetParam()), 0, tolerance);
}

std::vector<PublishedModel> with_counts() {
  std::vector<PublishedModel> models;
  for (const PublishedModel& model : test::published_models()) {
    if (model.parameters > 0) models.push_back(model);
  }
  return models;
}

INSTANTIATE_TEST_SUITE_P(All, PublishedGeometry, testing::ValuesIn(with_counts()), [](const auto& parameter) {
  std::string name = parameter.param.name;
  for (char& c : name) c = c == '-' || c == '.' ? '_' : c;
  return name;
});

TEST(ParameterCounts, MoreThanFortyModelsAreCompared) { EXPECT_GT(with_counts().size(), 40u); }

}  // namespace
}  // namespace oblea
