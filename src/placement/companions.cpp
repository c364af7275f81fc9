#include "placement/companions.hpp"

#include <algorithm>

#include "llm/tensors.hpp"

namespace oblea {
namespace {

constexpr double kSixteenBit = 2;
constexpr double kFp32 = 4;

bool is_attention_matrix(const Tensor& tensor) {
  return tensor.role == TensorRole::attention_q || tensor.role == TensorRole::attention_k ||
         tensor.role == TensorRole::attention_v || tensor.role == TensorRole::attention_output;
}

bool is_mlp_matrix(const Tensor& tensor) {
  return tensor.role == TensorRole::mlp_gate || tensor.role == TensorRole::mlp_up ||
         tensor.role == TensorRole::mlp_down;
}

}  // namespace

Bytes Companions::total() const {
  return draft_weights + draft_cache + draft_buffers + adapters + vision_weights + image;
}

std::vector<EngineMemoryPart> Companions::parts() const {
  std::vector<EngineMemoryPart> all{{"draft model", draft_weights},           {"draft model's cache", draft_cache},
                                    {"draft model's buffers", draft_buffers}, {"adapters", adapters},
                                    {"vision tower", vision_weights},         {"encoding a picture", image}};
  std::erase_if(all, [](const EngineMemoryPart& part) { return part.bytes.value() <= 0; });
  return all;
}

Bytes adapter_bytes(const ModelSpec& model, int rank, bool attention_only) {
  double elements = 0;
  for (const Layer& layer : model.layers) {
    for (const Tensor& tensor : layer_tensors(layer, model.hidden)) {
      const bool targeted = is_attention_matrix(tensor) || (!attention_only && is_mlp_matrix(tensor));
      if (targeted) elements += double(rank) * double(tensor.columns + tensor.rows);
    }
  }
  return Bytes(elements * kSixteenBit);
}

Bytes image_bytes(const VisionTower& tower, double image_tokens) {
  const double patches = image_tokens * tower.patches_per_token;
  const double scores = tower.flash_attention ? 0 : tower.heads * patches * patches;
  return Bytes(kFp32 * (patches * (3 * tower.feed_forward + 3 * tower.hidden) + scores));
}

}  // namespace oblea
