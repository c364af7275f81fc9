// What quantization_config says, as the mixture that the weights are published in.
#pragma once

#include <string>

#include "io/huggingface/config_reader.hpp"

namespace oblea {

// A name of llm/recipe.cpp: "FP8", "MXFP4_BF16", "INT4_MOE"; the data type where nothing is quantised. A scheme that no
// mixture stands for is a warning, and the nearest one is taken.
std::string read_native_format(ConfigReader& reader);

}  // namespace oblea
