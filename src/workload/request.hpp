// Request: one prompt and its answer, as a user sends it.
#pragma once

namespace oblea {

struct Request {
  double arrival_s = 0;   // since the start; of a closed loop: not used
  int prompt_tokens = 0;  // at least 1
  int output_tokens = 0;  // at least 1; a scheduler never sees it
  int prefix = -1;        // requests of one number share their first `prefix_tokens`; -1: nothing is shared
  int prefix_tokens = 0;
};

}  // namespace oblea
