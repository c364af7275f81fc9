#include "timing/model_work.hpp"

#include <cmath>

namespace oblea {

double distinct_experts_touched(const ModelWork& work, double tokens) {
  if (work.experts <= 0) return 0;
  if (tokens == 1) return work.active_experts;
  return work.experts * (1 - std::pow(1 - work.active_experts / work.experts, tokens));
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
