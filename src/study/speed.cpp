#include "study/speed.hpp"

#include <algorithm>
#include <cmath>

#include "base/check.hpp"
#include "study/stage_times.hpp"

namespace oblea {
namespace {

void add(Prediction& sum, const Prediction& part, double times = 1) {
  sum.value += part.value * times;
  sum.low += part.low * times;
  sum.high += part.high * times;
}

// One stage of the way a token takes.
struct TimedStage {
  Prediction decode;   // of the whole batch
  Prediction prefill;  // of the whole prompt
  Prediction network;  // collectives inside the stage and the hop to it, of one step
  Bytes moved{};       // each way over one device's link, of one step
  Prediction prompt_network;
  Bytes prompt_moved{};
};

TimedStage time_stage(const StageTimes& times, const Workload& workload) {
  const double prompt = prompt_length(workload).value();
  TimedStage timed;
  timed.decode = times.decode(workload.users, step_context(workload).value());
  timed.prefill = times.prefill(prompt, 0);
  timed.network = times.host_hops(workload.users);
  add(timed.network, times.all_reduces(workload.users));
  add(timed.network, times.hop(workload.users));
  add(timed.network, times.rpc());
  timed.moved = times.moved(workload.users);
  timed.prompt_moved = times.moved(prompt);
  timed.prompt_network = times.all_reduces(prompt);
  add(timed.prompt_network, times.hop(prompt));
  add(timed.prompt_network, times.rpc(), std::ceil(prompt / kPromptMicroBatch));
  return timed;
}

template <class Amount>
auto rate(Amount amount, const Prediction& time) {
  return Banded<decltype(amount / time.value)>{amount / time.value, amount / time.high, amount / time.low};
}

// A prompt runs through the stages in micro-batches: the first fills the pipeline, the slowest stage paces the rest.
Prediction pipelined(const std::vector<TimedStage>& stages, double micro_batches) {
  Prediction total;
  Prediction slowest;
  for (const TimedStage& stage : stages) {
    add(total, stage.prefill, 1 / micro_batches);
    add(total, stage.prompt_network);
    if (stage.prefill.value > slowest.value) slowest = stage.prefill;
  }
  add(total, slowest, (micro_batches - 1) / micro_batches);
  return total;
}

TimingLimit limit_of(const std::vector<TimedStage>& stages, Seconds network, Seconds step) {
  if (network > step * 0.5) return TimingLimit::network;
  const auto slower = [](const TimedStage& a, const TimedStage& b) { return a.decode.value < b.decode.value; };
  return std::max_element(stages.begin(), stages.end(), slower)->decode.limit;
}

}  // namespace

Tokens step_context(const Workload& workload) {
  const Tokens prompt = prompt_length(workload);
  const double answered = std::min(workload.output.value() / 2, workload.context.value() - prompt.value());
  return prompt + Tokens(std::max(0.0, answered));
}

SpeedQuestion make_speed_question(const Scenario& scenario, const ModelFootprint& model,
                                  const PlanningDevices& planning, const MachineLinks& links,
                                  const Placement& placement) {
  SpeedQuestion question;
  question.model = &model;
  question.placement = &placement;
  question.devices = planning.devices;
  question.nodes = planning.nodes;
  question.controls = planning.controls;
  question.drafting = scenario.draft.has_value();
  question.links = links;
  question.engine = scenario.engine.kind;
  question.workload = scenario.workload;
  question.kv_bytes_per_f16 = (kv_element_bytes(scenario.cache().k) + kv_element_bytes(scenario.cache().v)) / 4;
  return question;
}

Speed predict_speed(const SpeedQuestion& question, const TimingParameters& parameters) {
  const Placement& placement = *question.placement;
  OBLEA_CHECK(!placement.stages.empty(), "a placement has stages");
  std::vector<TimedStage> stages;
  const Stage* before = nullptr;
  Prediction network;
  Seconds prompt_network{};
  Bytes moved{};
  Bytes prompt_moved{};
  Speed speed;
  for (const Stage& stage : placement.stages) {
    stages.push_back(time_stage(StageTimes(question, stage, before, parameters), question.workload));
    add(speed.step, stages.back().decode);
    add(network, stages.back().network);
    moved += stages.back().moved;
    prompt_network += stages.back().prompt_network.value;
    prompt_moved += stages.back().prompt_moved;
    before = &stage;
  }
  add(speed.step, network);
  if (question.engine == Engine::vllm) add(speed.step, kServingOverhead);
  speed.estimated = question.engine != Engine::llama_cpp;
  speed.step.limit = limit_of(stages, network.value, speed.step.value);
  speed.network_share = network.value / speed.step.value;
  speed.traffic = rate(moved, speed.step);
  speed.busy.assign(question.devices.size(), 0.0);
  for (std::size_t i = 0; i < stages.size(); ++i) {
    for (const int d : placement.stages[i].devices) {
      speed.busy[static_cast<std::size_t>(d)] += stages[i].decode.value / speed.step.value;
    }
  }
  if (placement.expert_device >= 0) speed.busy[static_cast<std::size_t>(placement.expert_device)] = 1;
  speed.per_user = rate(Tokens(1), speed.step);
  speed.total = rate(Tokens(question.workload.users), speed.step);
  const double micro_batches = std::max(1.0, std::ceil(prompt_length(question.workload).value() / kPromptMicroBatch));
  speed.first_token = pipelined(stages, micro_batches);
  speed.first_token.limit = TimingLimit::compute;
  speed.prompt_network_share = prompt_network / speed.first_token.value;
  speed.prompt_traffic = rate(prompt_moved, speed.first_token);
  speed.prefill = rate(prompt_length(question.workload), speed.first_token);
  return speed;
}

}  // namespace oblea
