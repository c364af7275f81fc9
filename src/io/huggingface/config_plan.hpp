// ConfigPlan: which layer of a config.json is what: the kind of its attention and of its MLP, from whichever list,
// pattern, period or interval the family writes it in.
#pragma once

#include <vector>

#include "io/huggingface/config_families.hpp"
#include "io/huggingface/config_reader.hpp"

namespace oblea {

enum class Mixer { none, full, sliding, latent, linear, delta, ssm, conv, cross, compressed, projection };
enum class Feed { none, dense, moe, projection };

struct LayerPlan {
  Mixer mixer = Mixer::full;
  Feed feed = Feed::dense;
  int window = 0;                    // sliding
  int compress_ratio = 0;            // compressed
  bool indexed = false;              // an indexer picks what it attends to
  bool shares_kv = false;            // with an earlier layer
  bool single = false;               // attention or MLP alone, with one norm (Nemotron H)
  const JsonValue* block = nullptr;  // DeciLM: this layer's own entry
};

// Faults: no layer count, lists shorter than it, kinds that are not known. A longer list is cut, with a warning.
std::vector<LayerPlan> plan_layers(ConfigReader& reader, const FamilyFacts& facts);

}  // namespace oblea
