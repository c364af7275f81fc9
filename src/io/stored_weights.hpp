// The "stored" member of a model file: bytes of every layer by format, as an importer read them from the weights.
#pragma once

#include <cstddef>

#include "io/fields.hpp"
#include "llm/model_spec.hpp"

namespace oblea {

// Faults: unknown formats, bytes that are no whole number, entries for more or fewer layers than the model has.
StoredWeights parse_stored_weights(ObjectReader& reader, std::size_t layers);

}  // namespace oblea
