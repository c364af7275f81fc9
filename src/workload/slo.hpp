// Slo: the service-level objective: what a request must reach to count as good.
#pragma once

namespace oblea {

// 0: no bound.
struct Slo {
  double ttft_s = 0;    // arrival to first token, at most
  double tpot_s = 0;    // between tokens, mean of a request, at most
  double e2e_s = 0;     // arrival to last token, at most
  double share = 0.95;  // of all requests that must meet every bound
};

inline bool has_bound(const Slo& slo) { return slo.ttft_s > 0 || slo.tpot_s > 0 || slo.e2e_s > 0; }

}  // namespace oblea
