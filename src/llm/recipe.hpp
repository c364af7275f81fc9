// Recipe: the rules behind a mixture's name, as data: which format each role of tensor gets, and in which layers.
#pragma once

#include <optional>
#include <vector>

#include "llm/mixture.hpp"

namespace oblea {

// Layers in which a rule's second format applies, of n layers, index i from 0. `more_bits` is llama.cpp's choice of
// sensitive layers: the first and last eighth and every third between. Divisions round down.
enum class Where { nowhere, first_two, first_four, first_eighth, first_sixteenth, middle, more_bits };

bool applies(Where where, int i, int n);

struct RoleRule {
  TensorFormat usual;
  TensorFormat special;  // in layers where `where` applies
  Where where = Where::nowhere;
};

struct Recipe {
  Mixture mixture;
  bool gguf = true;      // made by llama.cpp's quantiser, so its fallbacks and exceptions apply
  TensorFormat base;     // matrices without a rule of their own
  TensorFormat experts;  // routed experts without a rule of their own
  TensorFormat vectors;  // norms, biases
  TensorFormat router;
  TensorFormat head;
  TensorFormat embedding;
  RoleRule value;                         // attention V with fewer than 4 query heads a KV head
  std::optional<RoleRule> grouped_value;  // with 4 or more; or as `value`
  bool grouped_by_experts = false;        // 4 or more routed experts count as grouped
  RoleRule down;
  RoleRule gate_up;
  TensorFormat attention_output;
  TensorFormat query_key;
  TensorFormat eight_experts_value;  // V and K of a model with exactly 8 routed experts (Mixtral)
  TensorFormat eight_experts_output;
};

// In the order of all_mixtures().
const std::vector<Recipe>& all_recipes();

}  // namespace oblea
