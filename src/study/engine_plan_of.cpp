#include "study/engine_plan_of.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/core.h>

#include "base/check.hpp"
#include "placement/engine_memory.hpp"
#include "study/stage_times.hpp"

namespace oblea {
namespace {

constexpr int kLlamaPass = 2048;     // llama.cpp's default -b: tokens of one call, cut into micro-batches of 512
constexpr int kVllmSequences = 256;  // vLLM's max_num_seqs

std::string stage_name(const Stage& stage, const PlanningDevices& planning) {
  std::string name;
  for (const int d : stage.devices) {
    name += (name.empty() ? "" : " + ") + planning.placement[static_cast<std::size_t>(d)].name;
  }
  return name;
}

bool spans_boxes(const Stage& stage, const PlanningDevices& planning) {
  const auto box = [&](int device) { return planning.nodes[static_cast<std::size_t>(device)]; };
  return std::any_of(stage.devices.begin(), stage.devices.end(),
                     [&](int device) { return box(device) != box(stage.devices.front()); });
}

using Times = std::shared_ptr<const StageTimes>;

double micro_batches_of(double tokens) { return std::max(1.0, std::ceil(tokens / kPromptMicroBatch)); }

// Of stages that work one after the other on a pass, only the slowest counts with all of its micro-batches.
bool is_slowest(const std::vector<Times>& all, std::size_t stage, double tokens, double depth) {
  const Seconds own = all[stage]->prefill(tokens, depth).value;
  for (std::size_t other = 0; other < all.size(); ++other) {
    if (other == stage) continue;
    const Seconds time = all[other]->prefill(tokens, depth).value;
    if (time > own || (time == own && other < stage)) return false;
  }
  return true;
}

StagePlan stage_plan(const std::vector<Times>& all, std::size_t index) {
  const Times& times = all[index];
  StagePlan plan;
  plan.decode_s = [times](int sequences) {
    return (times->decode(sequences, 0).value + times->host_hops(sequences).value).value();
  };
  plan.attended = times->attended();
  plan.prefill_s = [all, index](double tokens, double depth) {
    const double whole = all[index]->prefill(tokens, depth).value.value();
    const double micro_batches = micro_batches_of(tokens);
    if (micro_batches == 1 || is_slowest(all, index, tokens, depth)) return whole;
    return whole / micro_batches;
  };
  plan.collective_s = [times](double tokens) {
    const double calls_more = micro_batches_of(tokens) - 1;  // the first is part of the hop
    return (times->all_reduces(tokens).value + times->rpc().value * calls_more).value();
  };
  const Seconds latency = times->hop(0).value;
  plan.hop_latency_s = (latency + times->rpc().value).value();
  plan.hop_s_per_token = (times->hop(1).value - latency).value();
  plan.hop_link = times->crosses_boxes() ? 0 : -1;
  return plan;
}

// llama.cpp gives every slot its context; others share what the fullest device has room for.
ServingPlan serving_plan(const Scenario& scenario, const Placement& placement) {
  ServingPlan serving;
  const double context = scenario.workload.context.value();
  const int users = static_cast<int>(std::ceil(scenario.workload.users));
  serving.context_max = static_cast<int>(context);
  if (scenario.engine.kind == Engine::llama_cpp) {
    serving.kind = Serving::slots;
    serving.sequences_max = users;
    serving.cache_tokens = context * users;
    serving.block_tokens = static_cast<int>(context);
    serving.pass_tokens = std::max(kLlamaPass, micro_batch_of(scenario.engine));
    serving.prefix_cache = true;
    return serving;
  }
  const bool single = scenario.engine.kind == Engine::distributed_llama;
  if (single) serving.kind = Serving::single;
  const int wanted = single ? 1 : scenario.engine.sequences_max;
  serving.sequences_max = wanted > 0 ? wanted : kVllmSequences;
  serving.block_tokens = std::max(1, scenario.engine.block);
  const double room = scenario.workload.users * context + placement.kv_tokens_left.value();
  serving.cache_tokens = std::floor(room / serving.block_tokens) * serving.block_tokens;
  serving.pass_tokens = std::max(micro_batch_of(scenario.engine), serving.sequences_max);
  serving.micro_batches = static_cast<int>(placement.stages.size());
  if (scenario.engine.kind == Engine::vllm) {
    serving.overhead_s = kServingOverhead.value.value();
    serving.prefix_cache = true;
  }
  return serving;
}

}  // namespace

EnginePlan engine_plan_of(const Scenario& scenario, const PlacedCluster& placed, const TimingParameters& timing) {
  OBLEA_CHECK(placed.placement() != nullptr, "only what fits is run");
  const Placement& placement = *placed.placement();
  const SpeedQuestion question = make_speed_question(scenario, placed.model, placed.planning, placed.links, placement);
  std::vector<Times> all;
  const Stage* before = nullptr;
  for (const Stage& stage : placement.stages) {
    all.push_back(std::make_shared<const StageTimes>(question, stage, before, timing));
    before = &stage;
  }
  EnginePlan plan;
  for (std::size_t i = 0; i < all.size(); ++i) {
    StagePlan stage = stage_plan(all, i);
    stage.name = stage_name(placement.stages[i], placed.planning);
    stage.devices = placement.stages[i].devices;
    if (spans_boxes(placement.stages[i], placed.planning)) stage.collective_link = 0;
    plan.stages.push_back(std::move(stage));
  }
  if (placement.host_expert_layers > 0) plan.stages.front().devices.push_back(placement.expert_device);
  if (placed.machine.boxes.size() > 1) {
    const CollectiveLink& between = placed.links.between;
    plan.links.push_back(
        {"between boxes", between.goodput.value(), (between.latency + between.switch_latency).value()});
  }
  plan.serving = serving_plan(scenario, placement);
  plan.devices = static_cast<int>(placed.planning.devices.size());
  return plan;
}

}  // namespace oblea
