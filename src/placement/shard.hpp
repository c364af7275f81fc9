// Shard: what one device of a tensor-parallel group holds and reads of a model.
#pragma once

#include <optional>

#include "llm/footprint.hpp"
#include "placement/placement.hpp"

namespace oblea {

// The rule that a group of n devices breaks, if any: heads % n == 0, and kv_heads % n == 0 or n % kv_heads == 0 (KV
// heads are then replicated). Latent KV is one vector for all heads and always replicated. Source: vLLM's checks.
// Examples: 64 heads and 8 KV heads on 3 devices: heads_do_not_divide; 28 and 4 on 7: kv_heads_do_not_divide; 64 and 8
// on 16: allowed, every KV head twice.
std::optional<DoesNotFit> check_shards(const ModelFootprint& model, int devices);

// One of n equal shards, as a model of its own:
//   weights    replicated + (trunk - replicated) / n + experts / n, each rounded up to bytes; replicated are norms and
//   router
//              (what is stored in fp32, or 16 bit of two norms and hidden x experts, whichever is more)
//   KV         a token / n; / kv_heads where n > kv_heads; whole where latent. State / n
//   vocabulary rows padded to a multiple of 64 and of n, then / n (embedding and head)
//   vision tower and the like replicated
// Example (one 70B layer of 856 MB at 16 bit per weight on 4): 214 MB; 4,096 B a token: 1,024 B.
LayerFootprint shard_layer(const LayerFootprint& layer, std::int64_t hidden, int devices);
ModelFootprint shard_model(const ModelFootprint& model, int devices);

}  // namespace oblea
