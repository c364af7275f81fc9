// The blocks of a config.json: where the language model stands in a multimodal one, and which towers stand beside it.
#pragma once

#include <string>
#include <vector>

#include "io/json_document.hpp"

namespace oblea {

struct ConfigBlock {
  std::string path;  // "text_config"; "" for the file itself
  const JsonValue* value = nullptr;
};

// From the language model's own block out to the file. A nested block that holds a layer count is preferred even where
// the file's top has one: that may be the vision tower's.
std::vector<ConfigBlock> find_language_blocks(const JsonValue& root);

// Vision and audio towers, wherever they stand beside the language model.
std::vector<ConfigBlock> find_towers(const JsonValue& root);

}  // namespace oblea
