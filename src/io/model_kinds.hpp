// The words of a model file for the fields of an Attention, as data: what the writer puts and the reader takes.
#pragma once

#include <span>
#include <string_view>

#include "llm/model_spec.hpp"

namespace oblea {

std::string_view attention_kind_name(AttentionKind kind);
std::string_view mlp_kind_name(MlpKind kind);

struct AttentionField {
  const char* key;
  int Attention::*member;  // 0 when absent
};

struct AttentionFlag {
  const char* key;
  bool Attention::*member;
};

std::span<const AttentionField> attention_fields();
std::span<const AttentionFlag> attention_flags();

}  // namespace oblea
