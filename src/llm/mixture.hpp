// Mixture: a named recipe ("Q4_K_M") that gives every tensor of a model its format.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "llm/model_spec.hpp"
#include "llm/tensor_format.hpp"
#include "llm/tensors.hpp"

namespace oblea {

struct Mixture {
  std::string name;         // "Q4_K_M"
  double nominal_bits = 0;  // a weight, on a large dense model; for ordering, not for arithmetic
  std::string words;        // what the recipe does, for `profiles show`
};

// Every mixture known, from the most bits to the fewest.
const std::vector<Mixture>& all_mixtures();
const Mixture* find_mixture(std::string_view name);  // case-insensitive; nullptr when unknown

// The format that the recipe gives this tensor of this layer. A row that the recipe's blocks do not divide falls back
// to a format of smaller blocks, as llama.cpp does. The layer index of embedding and head is ignored.
TensorFormat tensor_format(const Mixture& mixture, const ModelSpec& model, const Tensor& tensor, int layer_index);

// The same for the layer's first tensor of that role.
TensorFormat tensor_format(const Mixture& mixture, const ModelSpec& model, TensorRole role, int layer_index);

// KV cache formats and their bytes an element: f16 2, q8_0 34/32, q4_0 18/32, fp8 1.
enum class KvFormat { f16, q8_0, q4_0, fp8 };
double kv_element_bytes(KvFormat format);
std::optional<KvFormat> find_kv_format(std::string_view name);
std::string_view kv_format_name(KvFormat format);

}  // namespace oblea
