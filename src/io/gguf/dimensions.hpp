// What a GGUF says of the whole model: layers, width, vocabulary, context; tensors before keys.
#pragma once

#include <cstdint>

#include "io/gguf/blocks.hpp"
#include "io/gguf/keys.hpp"

namespace oblea {

// Layers that a token passes; those that predict further tokens (nextn) come behind them and are left out. 0 and a
// fault where nothing tells, or where they are more than kMaxLayers.
int count_layers(GgufKeys& keys, const GgufBlocks& blocks);

// 0 and a fault where nothing tells.
std::int64_t read_hidden(GgufKeys& keys, const GgufBlocks& blocks);

// 0 and a warning where nothing tells: cache and layers can be planned without.
std::int64_t read_vocabulary(GgufKeys& keys, const GgufHeader& header, const GgufBlocks& blocks);
std::int64_t read_context(GgufKeys& keys);

}  // namespace oblea
