// Layers of a config.json whose memory does not grow: linear attention, Mamba, short convolutions.
#pragma once

#include "io/huggingface/config_families.hpp"
#include "io/huggingface/config_reader.hpp"
#include "llm/model_spec.hpp"

namespace oblea {

// Qwen3-Next and later: gated delta net. Without keys of its own (MiniMax Text 01) it is as wide as full attention.
Attention read_linear(ConfigReader& reader, const FamilyFacts& facts);

// Kimi delta attention: decay and, unless it is of full rank, the output gate go through a rank of one head's width.
Attention read_delta(ConfigReader& reader);

Attention read_convolution(ConfigReader& reader);

// Mamba 1 or 2, alone in a layer or beside its attention (Falcon H1).
Attention read_state_space(ConfigReader& reader);

}  // namespace oblea
