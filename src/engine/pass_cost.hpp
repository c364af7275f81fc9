// PassCost: how long stages work on a pass, and on a row of equal decode passes whose contexts grow by one.
#pragma once

#include <span>
#include <vector>

#include "engine/engine_plan.hpp"
#include "engine/pacer.hpp"

namespace oblea {

// A piece of a prompt, behind `depth` tokens that are read already.
struct Chunk {
  int tokens = 0;
  int depth = 0;
};

struct StageTime {
  double work_s = 0;
  double collective_s = 0;
  double hop_s = 0;  // to the stage
  double total() const { return work_s + collective_s + hop_s; }
};

// sum over j of min(context + j step, window) for j = 0 .. passes - 1; window 0: all.
// Example: context 10, step 1, window 12, 5 passes: 10 + 11 + 12 + 12 + 12 = 57; step 2.5, window 16: 10 + 12.5 + 15 +
// 16 + 16 = 69.5.
double attended_sum(double context, double window, double passes, double step = 1);

class PassCost {
 public:
  explicit PassCost(const EnginePlan& plan);

  // `passes` decode passes in a row of sequences that start at these contexts and grow by `tokens_per_step`; with
  // chunks, one pass. `pace` by stage; empty: as planned. Throws std::domain_error where a stage's functions give no
  // time: a negative one, infinity, not a number.
  void measure(std::span<const double> contexts, std::span<const Chunk> chunks, double passes,
               std::vector<StageTime>& stages, std::span<const Pace> pace = {}) const;

  // All stages one after another, with the scheduler's share.
  double iteration_s(std::span<const double> contexts, std::span<const Chunk> chunks, double passes,
                     std::span<const Pace> pace = {}) const;

 private:
  const EnginePlan& plan_;
  std::vector<double> windows_;                    // distinct, over all stages
  std::vector<std::vector<double>> coefficients_;  // by stage and window: seconds a token attended
};

}  // namespace oblea
