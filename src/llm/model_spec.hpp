// ModelSpec: the geometry of a decoder model, layer by layer. Numbers only; weights never enter this program.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace oblea {

// What a layer remembers: `full` keeps K and V of every token, `sliding` of the last `window` tokens, `latent` (MLA)
// one compressed vector a token, `linear` (KDA, gated delta net) and `ssm` (Mamba) a state of fixed size a request.
enum class AttentionKind { none, full, sliding, latent, linear, ssm };

struct Attention {
  AttentionKind kind = AttentionKind::full;
  int heads = 0;
  int kv_heads = 0;
  int head_dim = 0;      // of Q and K
  int v_head_dim = 0;    // 0: as head_dim
  int window = 0;        // sliding
  int q_lora_rank = 0;   // latent; 0: Q is projected directly
  int kv_lora_rank = 0;  // latent
  int rope_dim = 0;      // latent: decoupled rotary part, cached once a token
  int nope_dim = 0;      // latent: the rest of a head's K
  int key_heads = 0;     // linear, ssm (groups)
  int key_dim = 0;       // linear: a head's K; ssm: state size
  int value_heads = 0;   // linear; ssm: heads
  int value_dim = 0;     // linear; ssm: head dimension
  int conv_kernel = 0;   // linear, ssm
  int gate_rank = 0;     // linear: low-rank decay or output gate; 0: none or full rank (`output_gate`)
  bool qkv_bias = false;
  bool output_bias = false;
  bool qk_norm = false;
  bool output_gate = false;  // a gate as wide as the attention output, projected from hidden
  bool k_equals_v = false;   // one projection serves as K and V (Gemma 4 global layers); both are cached
  bool sinks = false;        // one learned logit a head (gpt-oss)
};

enum class MlpKind { none, dense, moe };

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
};

struct Layer {
  Attention attention;
  Mlp mlp;
  int norms = 2;  // vectors of width hidden
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
};

}  // namespace oblea
