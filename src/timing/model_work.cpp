#include "timing/model_work.hpp"

#include "llm/footprint.hpp"

namespace oblea {

double distinct_experts_touched(const ModelWork& work, double tokens) {
  if (tokens == 1) return work.active_experts;  // without a rounding error
  return distinct_experts(static_cast<int>(work.experts), static_cast<int>(work.active_experts), tokens);
}

UnpackLoad total(const UnpackLoads& loads) {
  UnpackLoad sum;
  for (const UnpackLoad& load : loads) {
    sum.bytes += load.bytes;
    sum.weights += load.weights;
  }
  return sum;
}

}  // namespace oblea
