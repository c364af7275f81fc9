#include "io/huggingface/config_recurrent.hpp"

#include <algorithm>

#include "io/huggingface/config_keys.hpp"

namespace oblea {
namespace {

namespace key = config_key;

int to_int(std::int64_t value) { return static_cast<int>(value); }

// The head dimension of full attention, or hidden / heads.
int linear_width(ConfigReader& reader, int heads) {
  if (const std::int64_t given = reader.size(key::kHeadDim); given > 0) return to_int(given);
  return heads > 0 ? to_int(reader.required_size(key::kHidden) / heads) : 0;
}

// Mamba 2: the inner width is heads x head dimension; either may be left to expand x hidden.
void read_mamba_two(ConfigReader& reader, Attention& a, std::int64_t inner) {
  a.value_heads = to_int(reader.required_size(reader.has(key::kSsmHeads) ? key::kSsmHeads : key::kHeads));
  const JsonValue* dim = reader.find(key::kSsmHeadDim, true);
  const bool given = dim != nullptr && dim->kind == JsonValue::Kind::number;  // Bamba writes "auto"
  a.value_dim = given ? to_int(reader.size(key::kSsmHeadDim)) : 0;
  if (a.value_dim == 0 && a.value_heads > 0) a.value_dim = to_int(inner / a.value_heads);
  a.key_heads = to_int(std::max<std::int64_t>(reader.size(key::kSsmGroups), 1));
  if (a.value_dim == 0) reader.required_size(key::kSsmHeadDim);
}

void read_mamba_one(ConfigReader& reader, Attention& a, std::int64_t inner) {
  a.key_heads = 1;
  a.value_heads = to_int(inner);
  a.value_dim = 1;
  const JsonValue* rank = reader.find(key::kSsmStepRank, true);
  const bool given = rank != nullptr && rank->kind == JsonValue::Kind::number;  // "auto": hidden / 16
  a.dt_rank = given ? to_int(reader.size(key::kSsmStepRank)) : to_int((reader.size(key::kHidden) + 15) / 16);
  if (inner <= 0) reader.required_size(key::kSsmExpand);
}

}  // namespace

Attention read_linear(ConfigReader& reader, const FamilyFacts& facts) {
  Attention a{.kind = AttentionKind::linear};
  a.output_gate = true;
  if (!reader.has(key::kLinearValueHeads)) {
    a.key_heads = a.value_heads = to_int(reader.required_size(key::kHeads));
    a.key_dim = a.value_dim = linear_width(reader, a.value_heads);
    if (facts.gated_delta) reader.required_size(key::kLinearValueHeads);
    return a;
  }
  a.value_heads = to_int(reader.required_size(key::kLinearValueHeads));
  a.key_heads = to_int(reader.required_size(key::kLinearKeyHeads));
  a.key_dim = to_int(reader.required_size(key::kLinearKeyDim));
  a.value_dim = to_int(reader.required_size(key::kLinearValueDim));
  a.conv_kernel = to_int(reader.required_size(key::kLinearTaps));
  return a;
}

Attention read_delta(ConfigReader& reader) {
  Attention a{.kind = AttentionKind::linear};
  a.key_heads = a.value_heads = to_int(reader.required_size(key::kDeltaHeads));
  a.key_dim = a.value_dim = a.gate_rank = to_int(reader.required_size(key::kDeltaDim));
  a.conv_kernel = to_int(reader.required_size(key::kDeltaTaps));
  a.output_gate = reader.flag_or(key::kDeltaFullGate, false);
  return a;
}

Attention read_convolution(ConfigReader& reader) {
  Attention a{.kind = AttentionKind::conv};
  a.conv_kernel = to_int(reader.required_size(key::kConvTaps));
  a.value_dim = to_int(reader.size(key::kConvWidth));
  if (a.value_dim == 0) a.value_dim = to_int(reader.required_size(key::kHidden));
  return a;
}

Attention read_state_space(ConfigReader& reader) {
  Attention a{.kind = AttentionKind::ssm};
  a.key_dim = to_int(reader.required_size(key::kSsmState));
  a.conv_kernel = to_int(reader.required_size(key::kSsmTaps));
  std::int64_t inner = reader.size(key::kSsmInner);
  if (inner == 0 && !reader.has(key::kHeads)) inner = reader.size(key::kIntermediate);  // Mamba alone
  if (inner == 0)
    inner = static_cast<std::int64_t>(reader.number(key::kSsmExpand) * static_cast<double>(reader.size(key::kHidden)));
  const bool two = reader.has(key::kSsmHeads) || (!reader.has(key::kSsmStepRank) && reader.has(key::kHeads));
  if (two)
    read_mamba_two(reader, a, inner);
  else
    read_mamba_one(reader, a, inner);
  return a;
}

}  // namespace oblea
