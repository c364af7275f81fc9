#include "io/model_kinds.hpp"

#include <array>

namespace oblea {
namespace {

constexpr AttentionField kFields[] = {
    {"heads", &Attention::heads},
    {"kv_heads", &Attention::kv_heads},
    {"head_dim", &Attention::head_dim},
    {"v_head_dim", &Attention::v_head_dim},
    {"window", &Attention::window},
    {"q_lora_rank", &Attention::q_lora_rank},
    {"kv_lora_rank", &Attention::kv_lora_rank},
    {"rope_dim", &Attention::rope_dim},
    {"nope_dim", &Attention::nope_dim},
    {"key_heads", &Attention::key_heads},
    {"key_dim", &Attention::key_dim},
    {"value_heads", &Attention::value_heads},
    {"value_dim", &Attention::value_dim},
    {"conv_kernel", &Attention::conv_kernel},
    {"gate_rank", &Attention::gate_rank},
    {"dt_rank", &Attention::dt_rank},
    {"index_heads", &Attention::index_heads},
    {"index_dim", &Attention::index_dim},
    {"index_top", &Attention::index_top},
    {"compress_ratio", &Attention::compress_ratio},
    {"output_groups", &Attention::output_groups},
    {"output_rank", &Attention::output_rank},
};

constexpr AttentionFlag kFlags[] = {
    {"qkv_bias", &Attention::qkv_bias},     {"output_bias", &Attention::output_bias},
    {"qk_norm", &Attention::qk_norm},       {"output_gate", &Attention::output_gate},
    {"k_equals_v", &Attention::k_equals_v}, {"sinks", &Attention::sinks},
    {"shares_kv", &Attention::shares_kv},
};

}  // namespace

std::string_view attention_kind_name(AttentionKind kind) {
  switch (kind) {
    case AttentionKind::none:
      return "none";
    case AttentionKind::full:
      return "full";
    case AttentionKind::sliding:
      return "sliding";
    case AttentionKind::latent:
      return "latent";
    case AttentionKind::linear:
      return "linear";
    case AttentionKind::ssm:
      return "ssm";
    case AttentionKind::conv:
      return "conv";
    case AttentionKind::compressed:
      return "compressed";
    case AttentionKind::projection:
      return "projection";
  }
  return "";
}

std::string_view mlp_kind_name(MlpKind kind) {
  switch (kind) {
    case MlpKind::none:
      return "none";
    case MlpKind::dense:
      return "dense";
    case MlpKind::moe:
      return "moe";
    case MlpKind::projection:
      return "projection";
  }
  return "";
}

std::span<const AttentionField> attention_fields() { return kFields; }
std::span<const AttentionFlag> attention_flags() { return kFlags; }

}  // namespace oblea
