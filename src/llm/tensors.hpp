// Tensors: the weight tensors of one layer, as (role, columns, rows, copies). Parameter counts and bytes are sums over
// these.
#pragma once

#include <cstdint>
#include <vector>

#include "llm/model_spec.hpp"

namespace oblea {

// Where a tensor stands in a model; recipes decide by this. `norm` is every vector and every small tensor that no
// recipe quantises: norms, biases, short convolutions, decay rates, sinks.
enum class TensorRole {
  embedding,
  head,
  norm,
  attention_q,
  attention_k,
  attention_v,
  attention_output,
  latent_projection,
  linear_state,
  router,
  mlp_gate,
  mlp_up,
  mlp_down,
  expert_gate,
  expert_up,
  expert_down,
  shared_expert,
  extra
};

struct Tensor {
  TensorRole role = TensorRole::norm;
  std::int64_t columns = 0;  // input width; quantisation blocks run along it
  std::int64_t rows = 0;     // output width
  std::int64_t copies = 1;   // one a routed expert
  bool routed = false;       // belongs to a routed expert: a token visits only some copies

  std::int64_t weights() const { return columns * rows * copies; }
};

std::vector<Tensor> attention_tensors(const Attention& attention, std::int64_t hidden);
std::vector<Tensor> mlp_tensors(const Mlp& mlp, std::int64_t hidden);

// Attention, MLP and norms of a layer.
std::vector<Tensor> layer_tensors(const Layer& layer, std::int64_t hidden);

}  // namespace oblea
