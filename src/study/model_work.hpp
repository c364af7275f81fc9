// From what a model holds (llm) to what a pass costs (timing): sums of a run of layers, by cost of unpacking.
#pragma once

#include "llm/footprint.hpp"
#include "llm/tensor_format.hpp"
#include "timing/model_work.hpp"

namespace oblea {

UnpackClass unpack_class(TensorFormat format);

struct LayerRange {
  int first = 0;
  int count = 0;
  bool with_head = true;  // the last stage also multiplies by the head
};

// Layers with one kind of experts share their count; the few dense layers of an MoE model count as trunk.
ModelWork make_model_work(const ModelFootprint& model, LayerRange range);
ModelWork make_model_work(const ModelFootprint& model);  // all of it

// A file whose recipe is only known roughly: routed experts by one mixture, everything else by another, and then scaled
// so that the whole equals the file (0: unknown, not scaled). A dense model is scaled alike throughout; of an MoE model
// the experts are, except that a 16-bit trunk first gives way down to Q8_0.
ModelWork make_file_work(const ModelSpec& model, const Mixture& experts, const Mixture& trunk, double file_bytes);

}  // namespace oblea
