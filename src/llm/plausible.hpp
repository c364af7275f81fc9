// Numbers that no model has: what a reader refuses, so that no product of them overflows.
#pragma once

#include <string>

#include "llm/model_spec.hpp"

namespace oblea {

// What is beyond any model, in words with its layer; empty when nothing is. Within these bounds every tensor of a layer
// holds less than 2^60 weights, and the model less than 1e16.
std::string find_implausible(const ModelSpec& model);

}  // namespace oblea
