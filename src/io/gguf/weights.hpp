// The tensors of a GGUF as StoredWeights: every byte of the file's data in one place of the model.
#pragma once

#include <vector>

#include "io/gguf/header.hpp"
#include "llm/model_spec.hpp"

namespace oblea {

// `layers` are the model's, in order; tensors of blocks beyond them (that predict further tokens) are `extra`, as are
// tables of which a pass reads single rows, and towers of other senses. Norms before the first and after the last
// layer count to these. `label` stays empty.
StoredWeights sum_stored_weights(const std::vector<GgufHeader>& headers, const std::vector<Layer>& layers);

// Weights (not bytes) of what a pass over text may read, exact: all but `extra`.
double count_read_weights(const std::vector<GgufHeader>& headers, const std::vector<Layer>& layers);

}  // namespace oblea
