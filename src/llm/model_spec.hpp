// ModelSpec: the geometry of a decoder model, layer by layer. Numbers only; weights never enter this program.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "llm/tensor_format.hpp"

namespace oblea {

// What a layer remembers: `full` keeps K and V of every token, `sliding` of the last `window` tokens, `latent` (MLA)
// one compressed vector a token, `linear` (KDA, gated delta net) and `ssm` (Mamba) a state of fixed size a request,
// `conv` (LFM2) the last inputs of a short convolution, `compressed` (DeepSeek V4) one vector of the last `window`
// tokens each and one of every `compress_ratio` tokens before; `projection` (DeciLM) is one matrix and keeps nothing.
enum class AttentionKind { none, full, sliding, latent, linear, ssm, conv, compressed, projection };

struct Attention {
  AttentionKind kind = AttentionKind::full;
  int heads = 0;
  int kv_heads = 0;
  int head_dim = 0;        // of Q and K
  int v_head_dim = 0;      // 0: as head_dim
  int window = 0;          // sliding, compressed
  int q_lora_rank = 0;     // latent, compressed; 0: Q is projected directly
  int kv_lora_rank = 0;    // latent
  int rope_dim = 0;        // latent: decoupled rotary part, cached once a token
  int nope_dim = 0;        // latent: the rest of a head's K
  int key_heads = 0;       // linear, ssm (groups)
  int key_dim = 0;         // linear: a head's K; ssm: state size
  int value_heads = 0;     // linear; ssm: heads
  int value_dim = 0;       // linear; ssm: head dimension; conv: channels
  int conv_kernel = 0;     // linear, ssm, conv: taps
  int gate_rank = 0;       // linear: low-rank decay or output gate; 0: none or full rank (`output_gate`)
  int dt_rank = 0;         // ssm: rank of Mamba 1's step projection; 0: Mamba 2
  int index_heads = 0;     // sparse attention: query heads of the indexer that picks tokens; 0: attends to every token
  int index_dim = 0;       // sparse attention: width of the key that the indexer keeps a token, once
  int index_top = 0;       // sparse attention: tokens (compressed: entries) picked; 0: not known
  int compress_ratio = 0;  // compressed: tokens an entry stands for; 0: only the window is kept
  int output_groups = 0;   // compressed: groups of heads with an output projection of their own
  int output_rank = 0;     // compressed: what each group's output is narrowed to
  bool qkv_bias = false;
  bool output_bias = false;
  bool qk_norm = false;
  bool output_gate = false;  // a gate as wide as the attention output, projected from hidden
  bool k_equals_v = false;   // one projection serves as K and V (Gemma 4 global layers); both are cached
  bool sinks = false;        // one learned logit a head (gpt-oss)
  bool shares_kv = false;    // reads the cache of an earlier layer and keeps none (Gemma 3n and 4, last layers)
  bool operator==(const Attention&) const = default;
};

// `projection` (DeciLM) is one matrix hidden x hidden.
enum class MlpKind { none, dense, moe, projection };

struct Mlp {
  MlpKind kind = MlpKind::dense;
  std::int64_t intermediate = 0;  // dense width, or of one routed expert
  bool gated = true;              // three matrices (gate, up, down) instead of two
  bool bias = false;
  int experts = 0;                       // moe: routed experts
  int active_experts = 0;                // moe: routed experts a token visits
  int shared_experts = 0;                // moe: always visited
  std::int64_t shared_intermediate = 0;  // moe: width of all shared experts together
  std::int64_t expert_hidden = 0;        // moe: width that routed experts see if a projection narrows it; 0: hidden
  std::int64_t dense_intermediate = 0;   // moe: a dense MLP beside the experts (Gemma 4, Arctic); 0: none
  bool operator==(const Mlp&) const = default;
};

struct Layer {
  Attention attention;
  Mlp mlp;
  Attention beside{.kind = AttentionKind::none};  // a second mixer of the same input (Falcon H1: Mamba 2)
  int norms = 2;                                  // vectors of width hidden
  std::int64_t side_width = 0;  // two projections hidden x width besides (Gemma's per-layer inputs, LAuReL)
  bool operator==(const Layer&) const = default;
};

// Weights as a file stores them: bytes by format, summed over tensors. What an importer read beats any recipe.
struct StoredLayer {
  FormatBytes trunk;
  FormatBytes experts;  // all routed experts of the layer together
  bool operator==(const StoredLayer&) const = default;
};

struct StoredWeights {
  std::string label;  // "Q4_K_M", as the file names itself; "" when it does not
  std::vector<StoredLayer> layers;
  FormatBytes embedding;
  FormatBytes head;   // zero when the embedding serves as head
  FormatBytes extra;  // vision tower, multi-token-prediction layers and the like: resident, not read in text decode

  Bytes total() const;
};

struct ModelSpec {
  std::string id;
  std::string name;
  std::string family;  // "llama", "qwen3", "deepseek", ...
  std::int64_t hidden = 0;
  std::int64_t vocabulary = 0;
  bool tied_embeddings = false;
  std::int64_t max_context = 0;        // tokens
  std::int64_t extra_parameters = 0;   // vision tower, projector, MTP head: resident, 16 bit, not read in text decode
  std::string native_format;           // mixture the weights are published in ("BF16", "MXFP4", "FP8")
  double public_total_parameters = 0;  // as published, for checking; 0: not published
  double public_active_parameters = 0;
  double boundary_factor = 1;  // activations crossing a stage boundary, in units of `hidden`
  std::string source;          // where the geometry comes from
  std::string date;
  std::string confidence;  // "datasheet", "review", "estimate", "measured"
  std::vector<Layer> layers;
  std::optional<StoredWeights> stored;  // of a model read from its files; the mixture kStoredMixture uses it
};

}  // namespace oblea
