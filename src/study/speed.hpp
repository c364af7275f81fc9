// Speed: tokens a second and first-token time of a placement, from the timing model, stage by stage.
#pragma once

#include <vector>

#include "llm/footprint.hpp"
#include "placement/engine_memory.hpp"
#include "placement/placement.hpp"
#include "study/machine_links.hpp"
#include "study/planning.hpp"
#include "study/scenario.hpp"
#include "timing/prediction.hpp"
#include "timing/timing_parameters.hpp"
#include "units/banded.hpp"
#include "workload/workload.hpp"

namespace oblea {

struct SpeedQuestion {
  const ModelFootprint* model = nullptr;
  const Placement* placement = nullptr;
  std::vector<const Device*> devices;  // in the placement's order
  std::vector<int> nodes;              // box of each
  std::vector<PowerControl> controls;  // of each; empty: none has one
  bool drafting = false;               // a draft model guesses: decode then needs the watts of prefill
  MachineLinks links;
  Engine engine = Engine::llama_cpp;
  Workload workload;
  double kv_bytes_per_f16 = 1;
};

struct Speed {
  Prediction step;  // one decode iteration for all users, at prompt + half the answer
  Banded<TokensPerSecond> per_user;
  Banded<TokensPerSecond> total;
  Banded<TokensPerSecond> prefill;        // one prompt alone
  Prediction first_token;                 // one prompt alone, on an idle cluster
  std::vector<double> busy;               // share of a step in which each device works
  double network_share = 0;               // of a step, waiting for links
  Banded<BytesPerSecond> traffic;         // activations each way over a device's links, while it decodes
  double prompt_network_share = 0;        // of the first token's time, waiting for links
  Banded<BytesPerSecond> prompt_traffic;  // the same while a prompt is read
  bool estimated = false;                 // part of it rests on no fit: other engines than llama.cpp, wafers
};

// Context at which a decode step is timed: the prompt and half the answer, within the request's context.
// Example: prompt 2,048, answer 256, context 4,096: 2,176.
Tokens step_context(const Workload& workload);

// The question of a scenario's engine, workload and cache format about one placement.
SpeedQuestion make_speed_question(const Scenario& scenario, const ModelFootprint& model,
                                  const PlanningDevices& planning, const MachineLinks& links,
                                  const Placement& placement);

Speed predict_speed(const SpeedQuestion& question, const TimingParameters& parameters);

}  // namespace oblea
