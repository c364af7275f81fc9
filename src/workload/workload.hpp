// Workload: what is asked of the cluster: how many people at once, with how long a context.
#pragma once

#include "units/quantity.hpp"

namespace oblea {

struct Workload {
  double users = 1;      // requests in flight at once
  Tokens context{8192};  // tokens each request may hold in the end: prompt and answer
  Tokens prompt{0};      // tokens to read before the first answer; 0: half of the context
  Tokens output{256};    // tokens answered, for energy and cost
};

// Prompt length used for the first-token time.
inline Tokens prompt_length(const Workload& workload) {
  return workload.prompt.value() > 0 ? workload.prompt : workload.context * 0.5;
}

}  // namespace oblea
