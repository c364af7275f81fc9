#include "io/model_file.hpp"

#include <gtest/gtest.h>

#include "unit/llm/library_models.hpp"

namespace oblea {
namespace {

// A small valid model with one part replaced.
std::string model_text(const std::string& from = "", const std::string& to = "") {
  std::string text =
      R"({"id": "tiny", "name": "Tiny", "family": "llama", "hidden": 64, "vocabulary": 100, "max_context": 512,
 "public_parameters": {"total": 62e3}, "source": "made up", "date": "2026-11", "confidence": "estimate",
 "layers": [{"repeat": 1, "attention": {"kind": "full", "heads": 4, "kv_heads": 2, "head_dim": 16},
             "mlp": {"kind": "dense", "intermediate": 192}}]})";
  if (!from.empty()) text.replace(text.find(from), from.size(), to);
  return text;
}

std::string faults_of(const std::string& text) {
  Diagnostics warnings;
  const Result<ModelSpec> model = parse_model(text, "tiny.json", warnings);
  return model ? "" : print_diagnostics(model.error());
}

// 64 x (64 + 2 x 32 + 64) + 3 x 64 x 192 + 3 x 64 + 2 x 100 x 64 = 62,144 parameters.
TEST(ModelFile, ReadsAModel) {
  Diagnostics warnings;
  const Result<ModelSpec> model = parse_model(model_text(), "tiny.json", warnings);
  ASSERT_TRUE(model) << print_diagnostics(model.error());
  EXPECT_TRUE(warnings.empty()) << print_diagnostics(warnings);
  EXPECT_EQ(model->layers.size(), 1u);
  EXPECT_EQ(model->native_format, "BF16");
  EXPECT_EQ(model->confidence, "estimate");
}

TEST(ModelFile, RepeatsBlocksOfNamedLayers) {
  Diagnostics warnings;
  const std::string text = model_text(
      R"("layers": [{"repeat": 1, "attention": {"kind": "full", "heads": 4, "kv_heads": 2, "head_dim": 16},
             "mlp": {"kind": "dense", "intermediate": 192}}])",
      R"("layer_kinds": {
    "a": {"attention": {"kind": "full", "heads": 4, "kv_heads": 2, "head_dim": 16}, "mlp": {"kind": "none"}},
    "b": {"attention": {"kind": "none"}, "mlp": {"kind": "dense", "intermediate": 128}, "norms": 1}},
  "layers": ["a", {"repeat": 3, "block": ["a", "b"]}, "b"])");
  const Result<ModelSpec> model = parse_model(text, "tiny.json", warnings);
  ASSERT_TRUE(model) << print_diagnostics(model.error());
  ASSERT_EQ(model->layers.size(), 8u);
  EXPECT_EQ(model->layers[1].attention.kind, AttentionKind::full);
  EXPECT_EQ(model->layers[2].mlp.intermediate, 128);
  EXPECT_EQ(model->layers[6].norms, 1);
}

TEST(ModelFile, ReadsEveryKindOfLayer) {
  const struct {
    const char* attention;
    AttentionKind kind;
  } cases[] = {
      {R"({"kind": "conv", "value_dim": 64, "conv_kernel": 3})", AttentionKind::conv},
      {R"({"kind": "projection"})", AttentionKind::projection},
      {R"({"kind": "ssm", "key_heads": 1, "key_dim": 16, "value_heads": 128, "value_dim": 1, "conv_kernel": 4,
           "dt_rank": 8})",
       AttentionKind::ssm},
      {R"({"kind": "compressed", "heads": 4, "kv_heads": 1, "head_dim": 32, "window": 8, "compress_ratio": 4,
           "q_lora_rank": 16, "output_groups": 2, "output_rank": 16, "index_heads": 2, "index_dim": 8, "index_top": 4,
           "sinks": true})",
       AttentionKind::compressed},
      {R"({"kind": "latent", "heads": 4, "v_head_dim": 16, "kv_lora_rank": 16, "rope_dim": 8, "nope_dim": 16,
           "index_heads": 2, "index_dim": 8, "index_top": 4})",
       AttentionKind::latent},
      {R"({"kind": "full", "heads": 4, "kv_heads": 2, "head_dim": 16, "shares_kv": true})", AttentionKind::full},
  };
  const std::string full = R"({"kind": "full", "heads": 4, "kv_heads": 2, "head_dim": 16})";
  for (const auto& c : cases) {
    Diagnostics warnings;
    const Result<ModelSpec> model = parse_model(model_text(full, c.attention), "tiny.json", warnings);
    ASSERT_TRUE(model) << c.attention << print_diagnostics(model.error());
    EXPECT_EQ(model->layers.front().attention.kind, c.kind);
  }
  EXPECT_NE(faults_of(model_text(full, R"({"kind": "compressed", "heads": 4, "kv_heads": 2, "head_dim": 32,
      "window": 8, "output_groups": 2})"))
                .find("keeps one head"),
            std::string::npos);
  EXPECT_NE(faults_of(model_text(full, R"({"kind": "full", "heads": 4, "kv_heads": 2, "head_dim": 16,
      "index_heads": 2})"))
                .find("both \"index_heads\" and \"index_dim\""),
            std::string::npos);
  Diagnostics warnings;
  const Result<ModelSpec> model = parse_model(
      model_text(R"("mlp": {"kind": "dense", "intermediate": 192})",
                 R"("mlp": {"kind": "projection"}, "side_width": 16, "beside": {"kind": "conv", "value_dim": 64,
                 "conv_kernel": 3})"),
      "tiny.json", warnings);
  ASSERT_TRUE(model) << print_diagnostics(model.error());
  EXPECT_EQ(model->layers.front().beside.kind, AttentionKind::conv);
  EXPECT_EQ(model->layers.front().mlp.kind, MlpKind::projection);
  EXPECT_EQ(model->layers.front().side_width, 16);
}

TEST(ModelFile, EveryFaultIsReportedAtOnceWithItsLine) {
  std::string text = model_text("\"kv_heads\": 2", "\"kv_heads\": 3");
  text.replace(text.find("intermediate"), 12, "intermediat_");
  const std::string faults = faults_of(text);
  EXPECT_NE(faults.find("3 KV heads do not divide 4 heads"), std::string::npos) << faults;
  EXPECT_NE(faults.find("did you mean \"intermediate\"?"), std::string::npos) << faults;
  EXPECT_NE(faults.find("tiny.json:3:"), std::string::npos) << faults;
}

TEST(ModelFile, ImpossibleGeometryIsRefused) {
  const struct {
    const char* from;
    const char* to;
    const char* says;
  } cases[] = {
      {"\"kind\": \"full\"", "\"kind\": \"ful\"", "did you mean \"full\"?"},
      {"\"kind\": \"full\"", "\"kind\": \"sliding\"", "lacks \"window\""},
      {"\"kind\": \"full\"", "\"kind\": \"sliding\", \"window\": 0", "\"window\" is 0"},
      {"\"heads\": 4", "\"heads\": 0", "\"heads\" is 0"},
      {"\"heads\": 4", "\"heads\": -4", "\"heads\" is -4"},
      {"\"heads\": 4", "\"heads\": 4.5", "whole number"},
      {"\"hidden\": 64", "\"hidden\": 1e300", "at most"},
      {"\"repeat\": 1", "\"repeat\": 5000", "at most 4096"},
      {"\"kind\": \"dense\"", "\"kind\": \"moe\", \"experts\": 4, \"active_experts\": 5", "5 active experts"},
      {"\"kind\": \"dense\"", "\"kind\": \"moe\", \"experts\": 4, \"active_experts\": 2, \"shared_experts\": 1",
       "shared_intermediate"},
      {"\"max_context\": 512", "\"max_context\": 512, \"native_format\": \"Q4_K_N\"", "did you mean"},
      {"\"kind\": \"full\"", "\"kind\": \"full\", \"window\": 5", "unknown key \"window\""},
      {"\"layers\": [{", "\"layers\": [\"b\", {", "no layer kind \"b\""},
      {"\"id\": \"tiny\", ", "", "lacks \"id\""},
  };
  for (const auto& c : cases) {
    const std::string faults = faults_of(model_text(c.from, c.to));
    EXPECT_NE(faults.find(c.says), std::string::npos) << c.to << " gave: " << faults;
  }
}

TEST(ModelFile, LayersAreCountedAcrossBlocks) {
  const std::string faults =
      faults_of(model_text("\"layers\": [{\"repeat\": 1,",
                           "\"layers\": [{\"repeat\": 4096, \"block\": [{\"attention\": {\"kind\": \"none\"}, "
                           "\"mlp\": {\"kind\": \"none\"}}]}, {\"repeat\": 1,"));
  EXPECT_NE(faults.find("more than 4096 layers"), std::string::npos) << faults;
}

TEST(ModelFile, ACountFarFromThePublishedOneIsAWarning) {
  Diagnostics warnings;
  ASSERT_TRUE(parse_model(model_text("62e3", "70e3"), "tiny.json", warnings));
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings.front().severity, Severity::warning);
  EXPECT_NE(warnings.front().message.find("11.2 %"), std::string::npos) << warnings.front().message;
}

TEST(ModelFile, EveryModelOfTheLibraryReadsWithoutAWarningAndIsNamedAsItsFile) {
  const Result<std::vector<std::string>> ids = list_models(test::model_folder());
  ASSERT_TRUE(ids);
  for (const std::string& id : *ids) {
    Diagnostics warnings;
    const Result<ModelSpec> model = find_model(test::model_folder(), id, warnings);
    ASSERT_TRUE(model) << print_diagnostics(model.error());
    EXPECT_TRUE(warnings.empty()) << print_diagnostics(warnings);
    EXPECT_EQ(model->id, id);
    EXPECT_NE(find_mixture(model->native_format), nullptr) << id;
  }
}

TEST(ModelFile, AnUnknownIdNamesTheNearOne) {
  Diagnostics warnings;
  const Result<ModelSpec> model = find_model(test::model_folder(), "llama-3.3-7b", warnings);
  ASSERT_FALSE(model);
  EXPECT_NE(print_diagnostics(model.error()).find("did you mean \"llama-3."), std::string::npos);
}

}  // namespace
}  // namespace oblea
