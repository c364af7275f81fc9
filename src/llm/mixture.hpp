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

// The weights as the model's own files store them (ModelSpec::stored); no recipe, and not one of all_mixtures().
// find_mixture knows it; only a model with stored weights takes it.
inline constexpr std::string_view kStoredMixture = "STORED";

// How a report names it: stored weights by what the file calls itself. Example: "Q4_K_M (as stored)".
std::string mixture_words(std::string_view mixture, const ModelSpec& model);

// The format that the recipe gives this tensor of this layer. A row that the recipe's blocks do not divide falls back
// to a format of smaller blocks, as llama.cpp does. The layer index of embedding and head is ignored.
TensorFormat tensor_format(const Mixture& mixture, const ModelSpec& model, const Tensor& tensor, int layer_index);

// The same for the layer's first tensor of that role.
TensorFormat tensor_format(const Mixture& mixture, const ModelSpec& model, TensorRole role, int layer_index);

// KV cache formats and their bytes an element: f16 and bf16 2, q8_0 34/32, q4_0 18/32, fp8 1, f32 4, q5_1 24/32, q5_0
// 22/32, q4_1 20/32, iq4_nl 18/32.
enum class KvFormat { f16, q8_0, q4_0, fp8, bf16, f32, q5_1, q5_0, q4_1, iq4_nl };
inline constexpr int kKvFormatCount = 10;
double kv_element_bytes(KvFormat format);
std::optional<KvFormat> find_kv_format(std::string_view name);
std::string_view kv_format_name(KvFormat format);

// In blocks of several elements: only attention kernels that unpack blocks read such a V.
bool is_quantised(KvFormat format);

// K and V may be kept in different formats (llama.cpp -ctk, -ctv).
struct KvFormats {
  KvFormat k = KvFormat::f16;
  KvFormat v = KvFormat::f16;
  KvFormats() = default;
  KvFormats(KvFormat both) : k(both), v(both) {}
  KvFormats(KvFormat of_k, KvFormat of_v) : k(of_k), v(of_v) {}
};

}  // namespace oblea
