#include "engine/pass_cost.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/core.h>

namespace oblea {
namespace {

// What a plan's functions give for these numbers of sequences and tokens is known only now.
void expect_time(const StagePlan& stage, const StageTime& time, double tokens) {
  const double total = time.total();
  if (time.work_s >= 0 && time.collective_s >= 0 && time.hop_s >= 0 && std::isfinite(total)) return;
  throw std::domain_error(fmt::format("stage {} takes {} s for a pass of {} tokens", stage.name, total, tokens));
}

}  // namespace

double attended_sum(double context, double window, double passes, double step) {
  const auto growing = [&](double terms) { return terms * context + step * terms * (terms - 1) / 2; };
  if (window <= 0 || context + step * (passes - 1) <= window) return growing(passes);
  if (context >= window) return passes * window;
  const double terms = std::floor((window - context) / step) + 1;
  return growing(terms) + (passes - terms) * window;
}

PassCost::PassCost(const EnginePlan& plan) : plan_(plan) {
  for (const StagePlan& stage : plan.stages) {
    for (const AttendedCost& cost : stage.attended) {
      if (std::find(windows_.begin(), windows_.end(), cost.window) == windows_.end()) windows_.push_back(cost.window);
    }
  }
  for (const StagePlan& stage : plan.stages) {
    std::vector<double>& row = coefficients_.emplace_back(windows_.size(), 0.0);
    for (const AttendedCost& cost : stage.attended) {
      const auto at = std::find(windows_.begin(), windows_.end(), cost.window) - windows_.begin();
      row[static_cast<std::size_t>(at)] += cost.seconds_per_token;
    }
  }
}

void PassCost::measure(std::span<const double> contexts, std::span<const Chunk> chunks, double passes,
                       std::vector<StageTime>& stages, std::span<const Pace> pace) const {
  const ServingPlan& serving = plan_.serving;
  std::vector<double> attended(windows_.size(), 0.0);
  for (std::size_t w = 0; w < windows_.size(); ++w) {
    for (const double context : contexts)
      attended[w] += attended_sum(context, windows_[w], passes, serving.tokens_per_step);
  }
  double prompt = 0;
  double deep = 0;  // tokens x depth
  for (const Chunk& chunk : chunks) {
    prompt += chunk.tokens;
    deep += static_cast<double>(chunk.tokens) * chunk.depth;
  }
  const int sequences = static_cast<int>(contexts.size());
  const int positions = sequences * serving.positions_per_step;
  stages.assign(plan_.stages.size(), {});
  for (std::size_t s = 0; s < plan_.stages.size(); ++s) {
    const StagePlan& stage = plan_.stages[s];
    StageTime& time = stages[s];
    const Pace own = pace.empty() ? Pace{} : pace[s];
    time.work_s = prompt > 0 ? own.prompt * stage.prefill_s(prompt + positions, deep / prompt)
                             : own.decode * (passes * stage.decode_s(positions));
    if (stage.draft_s && sequences > 0) time.work_s += own.decode * (passes * stage.draft_s(sequences));
    for (std::size_t w = 0; w < windows_.size(); ++w) time.work_s += own.decode * (coefficients_[s][w] * attended[w]);
    const double tokens = prompt + positions;
    if (stage.collective_s) time.collective_s = passes * stage.collective_s(tokens);
    if (s > 0) time.hop_s = passes * (stage.hop_latency_s + tokens * stage.hop_s_per_token);
    expect_time(stage, time, tokens);
  }
}

double PassCost::iteration_s(std::span<const double> contexts, std::span<const Chunk> chunks, double passes,
                             std::span<const Pace> pace) const {
  std::vector<StageTime> stages;
  measure(contexts, chunks, passes, stages, pace);
  double sum = passes * plan_.serving.overhead_s;
  for (const StageTime& time : stages) sum += time.total();
  return sum;
}

}  // namespace oblea
