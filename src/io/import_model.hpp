// Import: a model's geometry, and its weights where they are there, from the files that people have: GGUF,
// config.json, safetensors.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "llm/model_spec.hpp"

namespace oblea {

// A key of the file itself, given by the user: "llama.attention.head_count=32", "num_attention_heads=32". Replaces what
// the file says or fills in what it lacks. `value` is JSON ("3", "[1, 2]", "true") or, when it is not, a string.
struct KeyOverride {
  std::string key;
  std::string value;
  std::string origin;  // as the user wrote it
};

// Of a GGUF file (any shard of a set), a config.json, a safetensors index, a model file of our own, or a folder that
// holds one of them. Errors: what is no such file, is broken, or lacks geometry; each names the file and the key or
// offset.
Result<ModelSpec> import_model(const std::string& path, const std::vector<KeyOverride>& overrides,
                               Diagnostics& warnings);

}  // namespace oblea
