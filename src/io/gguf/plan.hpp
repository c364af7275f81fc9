// GgufPlan: what the keys of a GGUF say of every layer before a tensor is looked at.
#pragma once

#include <cstdint>
#include <vector>

#include "io/gguf/keys.hpp"

namespace oblea {

struct GgufPlan {
  int layers = 0;
  std::int64_t hidden = 0;
  bool has_tensors = false;
  // One a layer; empty where the file does not say.
  std::vector<std::int64_t> heads;
  std::vector<std::int64_t> kv_heads;
  std::vector<std::int64_t> feed_forward;
  std::vector<std::int64_t> compress_ratios;
  std::int64_t window = 0;      // tokens; 0: no layer slides
  std::vector<bool> slides;     // one a layer
  std::vector<bool> recurrent;  // one a layer; empty: only the tensors or zeros among KV heads can tell
  int first_shared_kv = 0;      // layers from here on read the cache of earlier ones
};

// Faults and warnings go to the keys. `layers` leaves out those that only predict further tokens.
GgufPlan read_plan(GgufKeys& keys, int layers, std::int64_t hidden, bool has_tensors);

// Layer i slides in a pattern of period n: all but the last of each n, or all but the first.
// Examples: n 6: layers 0 to 4 slide, 5 does not; n 4, dense first: 0 does not, 1 to 3 slide. 0: all slide; 1: none.
bool slides_in_pattern(int layer, std::int64_t period, bool dense_first);

}  // namespace oblea
