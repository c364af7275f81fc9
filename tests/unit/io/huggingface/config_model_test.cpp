#include "io/huggingface/config_model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/limits.hpp"
#include "llm/footprint.hpp"
#include "support/temporary_folder.hpp"

namespace oblea {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// A small Llama; `more` goes before the closing brace.
std::string llama(const std::string& more = "") {
  return R"({"model_type": "llama", "num_hidden_layers": 2, "hidden_size": 64, "intermediate_size": 128,
 "num_attention_heads": 4, "num_key_value_heads": 2, "vocab_size": 1000, "max_position_embeddings": 512,
 "tie_word_embeddings": false)" +
         more + "}";
}

struct Import {
  ModelSpec model;
  std::string warnings;
  std::string faults;
};

Import import(const std::string& text, const std::vector<KeyOverride>& overrides = {}) {
  Import result;
  Diagnostics warnings;
  Result<ModelSpec> model = parse_config_model(text, "config.json", overrides, warnings);
  result.warnings = print_diagnostics(warnings);
  if (model)
    result.model = std::move(*model);
  else
    result.faults = print_diagnostics(model.error());
  return result;
}

const Attention& attention_of(const Import& imported, std::size_t layer = 0) {
  return imported.model.layers.at(layer).attention;
}

TEST(ConfigModel, ReadsALlama) {
  const Import imported = import(llama());
  EXPECT_THAT(imported.faults + imported.warnings, IsEmpty());
  EXPECT_EQ(imported.model.hidden, 64);
  EXPECT_EQ(imported.model.family, "llama");
  EXPECT_EQ(imported.model.native_format, "BF16");
  EXPECT_EQ(imported.model.max_context, 512);
  ASSERT_EQ(imported.model.layers.size(), 2u);
  EXPECT_EQ(attention_of(imported).head_dim, 16);
  EXPECT_EQ(imported.model.layers[1].mlp.intermediate, 128);
}

// Names come from strangers: control bytes must not reach a terminal, and an id is letters, digits, dots and dashes.
TEST(ConfigModel, NamesAreMadeSafe) {
  const Import imported = import(llama(R"(, "_name_or_path": "someone/Evil\u001b[2J Model")"));
  EXPECT_EQ(imported.model.name, "Evil?[2J Model");
  EXPECT_EQ(imported.model.id, "evil--2j-model");
}

TEST(ConfigModel, NullAndZeroCountAsAbsent) {
  const Import imported = import(llama(R"(, "head_dim": null, "sliding_window": null, "num_local_experts": 0,
      "n_inner": 0, "kv_lora_rank": null, "num_nextn_predict_layers": 0)"));
  EXPECT_THAT(imported.faults + imported.warnings, IsEmpty());
  EXPECT_EQ(attention_of(imported).kind, AttentionKind::full);
  EXPECT_EQ(imported.model.layers[0].mlp.kind, MlpKind::dense);
}

TEST(ConfigModel, EveryMissingSizeIsNamedAtOnce) {
  const Import imported = import(R"({"model_type": "llama", "num_hidden_layers": 2})");
  for (const char* what :
       {"the hidden size is missing: none of hidden_size, n_embd, n_embed, d_model", "the vocabulary size is missing",
        "the number of attention heads is missing", "the width of the MLP is missing", "--override hidden_size=32"}) {
    EXPECT_THAT(imported.faults, HasSubstr(what));
  }
}

TEST(ConfigModel, NumbersOfTheWrongKindAreFaultsWithTheirPlace) {
  std::string text = llama();
  text.replace(text.find("64"), 2, "\"x\"");
  EXPECT_THAT(import(text).faults, HasSubstr("config.json:1:64: error: hidden size must be a whole number"));
  EXPECT_THAT(import(llama(R"(, "head_dim": 16.5)")).faults, HasSubstr("head dimension must be a whole number"));
  EXPECT_THAT(import(llama(R"(, "head_dim": -16)")).faults, HasSubstr("head dimension must be a whole number"));
  EXPECT_THAT(import(llama(R"(, "head_dim": 1e300)")).faults, HasSubstr("from 1 to 16777216"));
  EXPECT_THAT(import("[1]").faults, HasSubstr("holds an object"));
}

TEST(ConfigModel, KeyValueHeadsMustDivideHeads) {
  EXPECT_THAT(import(llama(), {{"num_key_value_heads", "3", "--override"}}).faults,
              HasSubstr("3 KV heads do not divide 4 heads"));
}

// 16384 heads of 16384 on a hidden size of 1e6 and 4096 layers would overflow every sum.
TEST(ConfigModel, SizesBeyondAnyModelAreRefused) {
  EXPECT_THAT(import(llama(), {{"hidden_size", "16777216", "--override"}}).faults, HasSubstr("a hidden size of"));
  EXPECT_THAT(import(llama(R"(, "head_dim": 100000)")).faults, HasSubstr("layer 0: a head dimension of 100000"));
  EXPECT_THAT(import(llama(), {{"num_hidden_layers", "4097", "--override"}}).faults,
              HasSubstr("more than 4096 layers"));
  EXPECT_THAT(import(llama(), {{"num_hidden_layers", "4096", "--override"}}).faults, IsEmpty());
}

TEST(ConfigModel, OverridesReplaceAndFillInAndWhatNobodyReadsIsReported) {
  const Import imported = import(llama(), {{"num_attention_heads", "8", "--override num_attention_heads=8"},
                                           {"head_dim", "32", "--override head_dim=32"},
                                           {"num_atention_heads", "2", "--override num_atention_heads=2"}});
  EXPECT_EQ(attention_of(imported).heads, 8);
  EXPECT_EQ(attention_of(imported).head_dim, 32);
  EXPECT_THAT(imported.warnings, HasSubstr("\"num_atention_heads\" changes nothing"));
  EXPECT_THAT(imported.warnings, HasSubstr("did you mean \"num_attention_heads\"?"));
  EXPECT_THAT(import(llama(), {{"a..b", "1", "--override a..b=1"}}).faults, HasSubstr("leads nowhere"));
}

TEST(ConfigModel, AnOverrideGoesIntoTheLanguageModelsBlock) {
  const std::string nested = R"({"model_type": "llava", "text_config": )" + llama() + "}";
  EXPECT_EQ(attention_of(import(nested, {{"head_dim", "32", "o"}})).head_dim, 32);
  EXPECT_EQ(attention_of(import(nested, {{"text_config.head_dim", "32", "o"}})).head_dim, 32);
  EXPECT_TRUE(import(nested, {{"tie_word_embeddings", "true", "o"}}).model.tied_embeddings);
}

TEST(ConfigModel, WhatANestedBlockLeavesOutComesFromTheTop) {
  const Import imported = import(R"({"model_type": "x", "vocab_size": 77, "torch_dtype": "float16",
      "text_config": {"model_type": "llama", "num_hidden_layers": 1, "hidden_size": 64, "intermediate_size": 128,
      "num_attention_heads": 4, "num_key_value_heads": 4, "max_position_embeddings": 64}})");
  EXPECT_EQ(imported.model.vocabulary, 77);
  EXPECT_EQ(imported.model.native_format, "F16");
}

// A class fills in what a nested block leaves out, and says so; a file that is cut down itself gets no such help.
TEST(ConfigModel, ClassDefaultsFillNestedBlocksOnly) {
  const Import nested = import(R"({"model_type": "llava", "text_config": {"model_type": "llama"}})");
  EXPECT_EQ(nested.model.layers.size(), 32u);
  EXPECT_THAT(nested.warnings, HasSubstr("hidden_size is not in the file; 4096 is what transformers' class"));
  EXPECT_THAT(import(R"({"model_type": "llama"})").faults, HasSubstr("the number of layers is missing"));
}

TEST(ConfigModel, EncodersAndOthersAreRefusedWithTheReason) {
  const struct {
    const char* text;
    const char* reason;
  } cases[] = {
      {R"({"model_type": "bert", "num_hidden_layers": 24})", "keeps no KV cache; not a decoder"},
      {R"({"model_type": "xlm-roberta"})", "keeps no KV cache; not a decoder"},
      {R"({"model_type": "t5", "is_encoder_decoder": true})", "an encoder and a decoder"},
      {R"({"model_type": "unheard_of", "is_encoder_decoder": true})", "an encoder and a decoder"},
      {R"({"model_type": "rwkv7"})", "RWKV's time mixing is not modelled"},
      {R"({"model_type": "zamba2"})", "serve many layers"},
      {R"({"model_type": "clip"})", "no language model"},
  };
  for (const auto& c : cases) EXPECT_THAT(import(c.text).faults, HasSubstr(c.reason)) << c.text;
}

TEST(ConfigModel, AnUnknownTypeIsReadAsALlamaAndSaidSo) {
  std::string text = llama();
  text.replace(text.find("\"llama\""), 7, "\"marvin\"");
  const Import imported = import(text);
  EXPECT_EQ(imported.model.layers.size(), 2u);
  EXPECT_THAT(imported.warnings, HasSubstr("model type \"marvin\" is not known"));
}

TEST(ConfigModel, EmbeddingsAreTiedWhereTheClassSaysSo) {
  const std::string sizes = R"("num_hidden_layers": 1, "hidden_size": 64, "intermediate_size": 128, "head_dim": 16,
      "num_attention_heads": 4, "num_key_value_heads": 2, "vocab_size": 100, "max_position_embeddings": 64})";
  EXPECT_TRUE(import(R"({"model_type": "gemma", )" + sizes).model.tied_embeddings);
  EXPECT_TRUE(import(R"({"model_type": "cohere", )" + sizes).model.tied_embeddings);
  EXPECT_FALSE(import(R"({"model_type": "llama", )" + sizes).model.tied_embeddings);
  EXPECT_FALSE(import(R"({"model_type": "gemma", "tie_word_embeddings": false, )" + sizes).model.tied_embeddings);
}

TEST(ConfigModel, WindowsThatAreOffAndOn) {
  EXPECT_EQ(attention_of(import(llama(R"(, "sliding_window": 64, "use_sliding_window": false)"))).kind,
            AttentionKind::full);
  const Import upper = import(llama(R"(, "sliding_window": 64, "use_sliding_window": true, "max_window_layers": 1)"));
  EXPECT_EQ(attention_of(upper, 0).kind, AttentionKind::full);
  EXPECT_EQ(attention_of(upper, 1).kind, AttentionKind::sliding);
  EXPECT_EQ(attention_of(upper, 1).window, 64);
  const Import ignored = import(llama(R"(, "sliding_window": 64)"));
  EXPECT_EQ(attention_of(ignored).kind, AttentionKind::full);
  EXPECT_THAT(ignored.warnings, HasSubstr("mainline runtimes ignore it"));
}

TEST(ConfigModel, PatternsOfWindows) {
  const struct {
    const char* keys;
    const char* sliding;  // S or F, layer by layer
  } cases[] = {
      {R"("sliding_window": 8, "sliding_window_pattern": 3)", "SSFSSF"},
      {R"("sliding_window": 8, "sliding_window_pattern": "LLLG")", "SSSFSS"},
      {R"("sliding_window": 8, "hybrid_layer_pattern": [0, 1, 1, 0, 1, 1])", "FSSFSS"},
      {R"("window_size": 8, "attention_types": [[["global", "local"], 3]])", "FSFSFS"},
      {R"("attention_chunk_size": 8, "no_rope_layers": [1, 1, 1, 0, 1, 1])", "SSSFSS"},
      {R"("sliding_window": 8, "layer_types": ["full_attention", "sliding_attention", "full_attention",
          "sliding_attention", "full_attention", "chunked_attention"])",
       "FSFSFS"},
  };
  for (const auto& c : cases) {
    const Import imported = import(llama(std::string(", ") + c.keys), {{"num_hidden_layers", "6", "o"}});
    ASSERT_EQ(imported.model.layers.size(), 6u) << c.keys << imported.faults;
    std::string kinds;
    for (const Layer& layer : imported.model.layers) {
      const bool slides = layer.attention.kind == AttentionKind::sliding;
      kinds += slides ? 'S' : 'F';
      EXPECT_EQ(layer.attention.window, slides ? 8 : 0);
    }
    EXPECT_EQ(kinds, c.sliding) << c.keys;
  }
}

TEST(ConfigModel, ListsThatAreTooShortOrUnknownAreFaults) {
  EXPECT_THAT(import(llama(R"(, "layer_types": ["full_attention"])")).faults,
              HasSubstr("layer_types: 1 entries for 2 layers"));
  EXPECT_THAT(import(llama(R"(, "layer_types": ["full_attention", "telepathy"])")).faults,
              HasSubstr("layer 1 is \"telepathy\", a kind that is not known"));
  EXPECT_THAT(import(llama(R"(, "hybrid_override_pattern": "MX")")).faults, HasSubstr("other than M, E, *, -"));
  EXPECT_THAT(import(llama(), {{"intermediate_size", "[128]", "o"}}).faults, HasSubstr("layer 1 needs one"));
  EXPECT_THAT(import(llama(R"(, "num_kv_shared_layers": 2)")).faults, HasSubstr("as many layers share KV"));
}

TEST(ConfigModel, WhichLayersHaveExperts) {
  const std::string experts = R"(, "num_experts": 8, "num_experts_per_tok": 2, "moe_intermediate_size": 32)";
  const struct {
    const char* keys;
    const char* moe;  // M or d, layer by layer
  } cases[] = {
      {"", "MMMMMM"},
      {R"(, "first_k_dense_replace": 2)", "ddMMMM"},
      {R"(, "first_k_dense_replace": 1, "moe_layer_freq": 2)", "ddMdMd"},
      {R"(, "moe_layer_freq": [0, 1, 0, 1, 1, 0])", "dMdMMd"},
      {R"(, "decoder_sparse_step": 2)", "dMdMdM"},
      {R"(, "mlp_only_layers": [0, 5])", "dMMMMd"},
      {R"(, "expert_layer_period": 3, "expert_layer_offset": 1)", "dMddMd"},
      {R"(, "moe_layers": [1, 4])", "dMddMd"},
      {R"(, "mlp_layer_types": ["dense", "sparse", "sparse", "dense", "sparse", "sparse"])", "dMMdMM"},
  };
  for (const auto& c : cases) {
    const Import imported = import(llama(experts + c.keys), {{"num_hidden_layers", "6", "o"}});
    std::string kinds;
    for (const Layer& layer : imported.model.layers) kinds += layer.mlp.kind == MlpKind::moe ? 'M' : 'd';
    EXPECT_EQ(kinds, c.moe) << c.keys << imported.faults;
  }
}

TEST(ConfigModel, SharedExpertsByCountOrByWidth) {
  const std::string experts = R"(, "num_experts": 8, "num_experts_per_tok": 2, "moe_intermediate_size": 32)";
  EXPECT_EQ(import(llama(experts + R"(, "n_shared_experts": 2)")).model.layers[0].mlp.shared_intermediate, 64);
  const Mlp by_width = import(llama(experts + R"(, "shared_expert_intermediate_size": 96)")).model.layers[0].mlp;
  EXPECT_EQ(by_width.shared_intermediate, 96);
  EXPECT_EQ(by_width.shared_experts, 1);
  EXPECT_THAT(import(llama(experts), {{"num_experts_per_tok", "9", "o"}}).faults,
              HasSubstr("9 experts a token, but there are only 8"));
}

// DeciLM: 2 x 2.5 x 64 / 3 = 106 rounded up to 256; attention or MLP left out, or one matrix in its place.
TEST(ConfigModel, BlocksOfDeciLm) {
  const Import imported = import(llama(R"(, "block_configs": [
      {"attention": {"n_heads_in_group": 4, "no_op": false}, "ffn": {"ffn_mult": 2.5}},
      {"attention": {"replace_with_linear": true}, "ffn": {"no_op": true}}])"));
  EXPECT_EQ(attention_of(imported).kv_heads, 1);
  EXPECT_EQ(imported.model.layers[0].mlp.intermediate, 256);
  EXPECT_EQ(attention_of(imported, 1).kind, AttentionKind::projection);
  EXPECT_EQ(imported.model.layers[1].mlp.kind, MlpKind::none);
  const Import later = import(llama(R"(, "block_configs": [
      {"attention": {"num_key_value_heads": 1}, "ffn": {"intermediate_size": 96}},
      {"attention": {"num_key_value_heads": 4}, "ffn": {"intermediate_size": 160}}])"));
  EXPECT_EQ(attention_of(later, 1).kv_heads, 4);
  EXPECT_EQ(later.model.layers[0].mlp.intermediate, 96);
}

TEST(ConfigModel, KeysAndValuesSharedAcrossLayers) {
  const Import imported =
      import(llama(R"(, "use_cla": true, "cla_share_factor": 2)"), {{"num_hidden_layers", "4", "o"}});
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(attention_of(imported, i).shares_kv, i % 2 == 1);
}

// LFM2: 2/3 of 192 is 128, a multiple of 32 already; Gemma 4's last layers share KV and may be twice as wide.
TEST(ConfigModel, WidthsThatFollowARule) {
  EXPECT_EQ(import(llama(R"(, "block_auto_adjust_ff_dim": true, "block_multiple_of": 32)"),
                   {{"intermediate_size", "192", "o"}})
                .model.layers[0]
                .mlp.intermediate,
            128);
  const Import shared = import(llama(R"(, "num_kv_shared_layers": 1, "use_double_wide_mlp": true)"));
  EXPECT_EQ(shared.model.layers[0].mlp.intermediate, 128);
  EXPECT_EQ(shared.model.layers[1].mlp.intermediate, 256);
  EXPECT_TRUE(shared.model.layers[1].attention.shares_kv);
}

TEST(ConfigModel, GlobalLayersOfGemma4AreWiderAndShareTheirProjection) {
  const Import imported = import(llama(R"(, "layer_types": ["sliding_attention", "full_attention"],
      "sliding_window": 8, "global_head_dim": 32, "num_global_key_value_heads": 1, "attention_k_eq_v": true)"));
  EXPECT_EQ(attention_of(imported, 0).head_dim, 16);
  EXPECT_EQ(attention_of(imported, 0).kv_heads, 2);
  EXPECT_FALSE(attention_of(imported, 0).k_equals_v);
  EXPECT_EQ(attention_of(imported, 1).head_dim, 32);
  EXPECT_EQ(attention_of(imported, 1).kv_heads, 1);
  EXPECT_TRUE(attention_of(imported, 1).k_equals_v);
}

TEST(ConfigModel, LayersThatPredictFurtherTokensAreLeftOutAndSaidSo) {
  EXPECT_THAT(import(llama(R"(, "num_nextn_predict_layers": 1)")).warnings,
              HasSubstr("1 multi-token-prediction layer, about"));
}

// Two layers of 64 x 64 x 4 + 2 x 64 x 256 weights and 3 x 64 + 256 + 6 x 64 vectors, 3 x 14 x 14 x 64 for patches of
// 14, 16 positions of 64, and a projector of 64 x 64: 98,304 + 1,664 + 37,632 + 1,024 + 4,096 = 142,720.
TEST(ConfigModel, AVisionTowerIsEstimatedFromItsGeometry) {
  const Import imported = import(R"({"model_type": "llava", "text_config": )" + llama() + R"(, "vision_config": {
      "hidden_size": 64, "num_hidden_layers": 2, "intermediate_size": 256, "patch_size": 14, "image_size": 56}})");
  EXPECT_EQ(imported.model.extra_parameters, 142'720);
  EXPECT_THAT(imported.warnings, HasSubstr("vision_config: 0 M parameters, an estimate by its geometry"));
}

TEST(ConfigModel, QuantisationIsTheMixtureItIsPublishedIn) {
  const std::string group = R"("config_groups": {"group_0": {"weights": )";
  const struct {
    std::string quantization;
    const char* mixture;
  } cases[] = {
      {R"({"quant_method": "fp8", "weight_block_size": [128, 128]})", "FP8"},
      {R"({"quant_method": "fbgemm_fp8"})", "FP8"},
      {R"({"quant_method": "gptq", "bits": 4, "group_size": 128})", "INT4"},
      {R"({"quant_method": "gptq", "bits": 8})", "INT8"},
      {R"({"quant_method": "awq", "w_bit": 4})", "INT4"},
      {R"({"quant_method": "bitsandbytes", "load_in_4bit": true, "load_in_8bit": false})", "INT4"},
      {R"({"quant_method": "bitsandbytes", "load_in_8bit": true})", "INT8"},
      {R"({"quant_method": "mxfp4"})", "MXFP4_BF16"},
      {R"({"quant_method": "modelopt", "quant_algo": "NVFP4", "ignore": ["lm_head"]})", "NVFP4"},
      {R"({"quant_method": "modelopt", "quant_algo": "NVFP4", "ignore": ["model.layers.0.self_attn*"]})", "NVFP4_MLP"},
      {R"({"quant_method": "modelopt", "quant_algo": "FP8"})", "FP8"},
      {R"({"quant_method": "compressed-tensors", )" + group + R"({"num_bits": 8, "type": "float"}}}})", "FP8"},
      {R"({"quant_method": "compressed-tensors", )" + group + R"({"num_bits": 8, "type": "int"}}}})", "INT8"},
      {R"({"quant_method": "compressed-tensors", )" + group +
           R"({"num_bits": 4, "type": "int", "group_size": 32}}}, "ignore": ["re:.*self_attn.*"]})",
       "INT4_MOE"},
      {R"({"quant_method": "compressed-tensors", )" + group + R"({"num_bits": 4, "type": "int", "group_size": 128}}}})",
       "INT4"},
      {R"({"quant_method": "compressed-tensors", )" + group +
           R"({"num_bits": 4, "type": "float", "group_size": 32}}}})",
       "MXFP4_BF16"},
  };
  for (const auto& c : cases) {
    const Import imported = import(llama(", \"quantization_config\": " + c.quantization));
    EXPECT_EQ(imported.model.native_format, c.mixture) << c.quantization << imported.faults;
    EXPECT_THAT(imported.warnings, IsEmpty()) << c.quantization;
  }
  const Import unknown = import(llama(R"(, "quantization_config": {"quant_method": "homeopathic"})"));
  EXPECT_EQ(unknown.model.native_format, "BF16");
  EXPECT_THAT(unknown.warnings, HasSubstr("quantisation \"homeopathic\" is none that oblea knows"));
}

TEST(ConfigModel, ExpertsInFourBitFloatsAmongFp8) {
  EXPECT_EQ(
      import(llama(R"(, "expert_dtype": "fp4", "quantization_config": {"quant_method": "fp8"})")).model.native_format,
      "MXFP4_FP8");
}

TEST(ConfigModel, ReadsAFileAndNamesItByItsFolder) {
  const test::TemporaryFolder folder;
  folder.write("Some-Model-7B/config.json", llama());
  Diagnostics warnings;
  const auto model = read_config_model(folder.path() + "/Some-Model-7B/config.json", {}, warnings);
  ASSERT_TRUE(model) << print_diagnostics(model.error());
  EXPECT_EQ(model->name, "Some-Model-7B");
  EXPECT_EQ(model->id, "some-model-7b");
  EXPECT_FALSE(model->stored);
  EXPECT_FALSE(read_config_model(folder.path() + "/nothing.json", {}, warnings));
}

TEST(ConfigModel, AFileAtTheLimitIsReadAndOnePastItRefused) {
  const std::string text = llama();
  const std::string padded = text + std::string(kMaxInputBytes - text.size(), ' ');
  EXPECT_THAT(import(padded).faults, IsEmpty());
  EXPECT_THAT(import(padded + " ").faults, HasSubstr("the limit is"));
}

}  // namespace
}  // namespace oblea
