// Made-up engine plans for tests: stages with constant or linear times, servers as queueing theory knows them.
#pragma once

#include "base/random.hpp"
#include "engine/run_engine.hpp"

namespace oblea::test {

inline StagePlan constant_stage(double decode_s, double prefill_s_per_token = 0) {
  StagePlan stage;
  stage.name = "stage";
  stage.decode_s = [decode_s](int) { return decode_s; };
  stage.prefill_s = [decode_s, prefill_s_per_token](double tokens, double) {
    return decode_s + prefill_s_per_token * tokens;
  };
  return stage;
}

inline EnginePlan plan_of(std::vector<StagePlan> stages, int sequences = 1, double cache = 1e9) {
  EnginePlan plan;
  plan.stages = std::move(stages);
  plan.serving.sequences_max = sequences;
  plan.serving.cache_tokens = cache;
  plan.serving.block_tokens = 1;
  return plan;
}

inline Request request_of(double arrival_s, int prompt, int output) {
  Request request;
  request.arrival_s = arrival_s;
  request.prompt_tokens = prompt;
  request.output_tokens = output;
  return request;
}

inline EngineResult run_plan(const FleetPlan& fleet, const EngineRequests& requests, EngineOptions options = {}) {
  Result<EngineResult> result = run_engine(fleet, requests, options);
  if (!result) throw std::runtime_error(print_diagnostics(result.error()));
  return std::move(*result);
}

inline EngineResult run_plan(const EnginePlan& plan, const EngineRequests& requests, EngineOptions options = {}) {
  return run_plan(fleet_of(plan), requests, std::move(options));
}

}  // namespace oblea::test
