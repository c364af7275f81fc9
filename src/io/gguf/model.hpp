// A GGUF file as a ModelSpec: geometry from its keys and tensor shapes, weights byte for byte.
#pragma once

#include "io/gguf/header.hpp"
#include "io/import_model.hpp"
#include "units/quantity.hpp"

namespace oblea {

// `path` is any shard of the set. Only headers are read.
Result<ModelSpec> read_gguf_model(const std::string& path, const std::vector<KeyOverride>& overrides,
                                  Diagnostics& warnings);

// The same from headers at hand: all shards of one model, the first with its keys.
//
// An architecture is read by what its keys and tensors are called, not by its name, so that a new one reads too. Where
// shapes and keys disagree the shapes count, with a warning. Errors: geometry that neither says, by the name of its
// key; files that hold no decoder of text.
Result<ModelSpec> make_gguf_model(const std::vector<GgufHeader>& headers, const std::vector<KeyOverride>& overrides,
                                  Diagnostics& warnings);

// One model in a folder: a file, or all shards of a set.
struct GgufSet {
  std::string path;   // of the first shard
  std::string label;  // "Q4_K_M", as its header says; "" when it does not, or cannot be read
  Bytes bytes{};      // of all shards
  int shards = 1;
};

// The models in a folder (not below it), by path; vision towers (mmproj) are left out. Errors: cannot be listed.
Result<std::vector<GgufSet>> list_gguf_models(const std::string& folder);

}  // namespace oblea
