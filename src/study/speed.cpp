#include "study/speed.hpp"

#include <algorithm>
#include <cmath>

#include "base/check.hpp"
#include "power/power_limit.hpp"
#include "study/model_work.hpp"
#include "timing/decode.hpp"
#include "timing/prefill.hpp"

namespace oblea {
namespace {

constexpr double kMicroBatch = 512;  // prompt tokens that a stage computes at once (llama.cpp's default)

// Scheduler, sampling and detokenising of a serving engine a step: 1 to 4 ms (MODELS: measured over vLLM generations).
const Prediction kServingOverhead{Seconds(2.5e-3), Seconds(1e-3), Seconds(4e-3), TimingLimit::launch_overhead};

// Card to its host through one slot: half a bounce. Conservative: a gen 3 x8 slot's half.
const CollectiveLink kHostLink{LinkClass::pcie_host_bounce, Seconds(7.5e-6), BytesPerSecond(3.1e9), Seconds(0)};

EngineBackend backend_of(const Device& device) {
  if (device.kind == DeviceKind::cpu) return EngineBackend::cpu;
  if (device.vendor == "nvidia") return EngineBackend::cuda;
  if (device.vendor == "apple") return EngineBackend::metal;
  const bool compute_card = device.architecture.starts_with("cdna") || device.architecture.starts_with("gcn");
  return device.vendor == "amd" && compute_card ? EngineBackend::rocm : EngineBackend::vulkan;
}

Prediction zero() { return {}; }

void add(Prediction& sum, const Prediction& part, double times = 1) {
  sum.value += part.value * times;
  sum.low += part.low * times;
  sum.high += part.high * times;
}

void scale(UnpackLoads& loads, double factor) {
  for (UnpackLoad& load : loads) {
    load.bytes *= factor;
    load.weights *= factor;
  }
}

// What one of `shards` equal shards does; the cache of latent attention is whole on every shard, which placement
// accounts for and timing takes as shared, its heads being split.
ModelWork shard(ModelWork work, int shards) {
  if (shards == 1) return work;
  const double part = 1.0 / shards;
  scale(work.trunk, part);
  scale(work.expert, part);
  for (double* number : {&work.head_weights, &work.head_bytes, &work.bf16_bytes, &work.state_bytes}) *number *= part;
  for (AttentionWork& group : work.attention) {
    group.kv_bytes_per_token *= part;
    group.flops_per_cached_token *= part;
    group.prefill_flops_per_cached_token *= part;
    group.scores_per_cached_token *= part;
  }
  return work;
}

// Routed experts of the first layers, which live on the host; the rest stays on the cards.
struct ExpertShare {
  ModelWork on_host;
  UnpackLoads moved;  // what the card no longer reads of an expert
};

ExpertShare host_experts(const ModelFootprint& model, int layers) {
  const ModelWork work = make_model_work(model, {.first = 0, .count = layers, .with_head = false});
  ExpertShare share;
  share.on_host.expert = work.expert;
  share.on_host.experts = work.experts;
  share.on_host.active_experts = work.active_experts;
  share.on_host.kernels = 4.0 * layers;
  share.moved = work.expert;
  return share;
}

void subtract(UnpackLoads& loads, const UnpackLoads& moved) {
  for (std::size_t i = 0; i < loads.size(); ++i) {
    loads[i].bytes = std::max(0.0, loads[i].bytes - moved[i].bytes);
    loads[i].weights = std::max(0.0, loads[i].weights - moved[i].weights);
  }
}

// One stage of the way a token takes.
struct TimedStage {
  Prediction decode;   // of the whole batch
  Prediction prefill;  // of the whole prompt
  Prediction network;  // collectives inside the stage and the hop to it, of one step
  Bytes moved{};       // each way over one device's link, of one step
  Prediction prompt_network;
};

class StageTimer {
 public:
  StageTimer(const SpeedQuestion& question, const TimingParameters& parameters)
      : q_(question), parameters_(parameters), prompt_(prompt_length(question.workload)) {
    const double answered = std::min(q_.workload.output.value() / 2, q_.workload.context.value() - prompt_.value());
    call_ = {.batch = q_.workload.users,
             .context = prompt_.value() + std::max(0.0, answered),
             .kv_bytes_per_f16 = q_.kv_bytes_per_f16};
  }

  Tokens prompt() const { return prompt_; }

  TimedStage time(const Stage& stage, const Stage* before) const {
    const int shards = static_cast<int>(stage.devices.size());
    const Device& device = slowest_of(stage);
    ModelWork work = make_model_work(
        *q_.model, {.first = stage.first_layer, .count = stage.layer_count, .with_head = stage.holds_head});
    ExpertShare host;
    const int on_host = std::clamp(q_.placement->host_expert_layers - stage.first_layer, 0, stage.layer_count);
    if (on_host > 0) {
      host = host_experts(*q_.model, on_host);
      subtract(work.expert, host.moved);
    }
    const ModelWork part = shard(std::move(work), shards);
    const EngineRun run{.backend = backend_of(device)};
    const DeviceRates rates = make_device_rates(device);
    TimedStage timed;
    timed.decode = decode_step_time(part, call_, rates, run, parameters_);
    timed.prefill = prefill_time(part, {.tokens = prompt_.value()}, rates, run, parameters_);
    slow_down(timed, stage);
    if (on_host > 0) add_host_experts(timed, host, on_host);
    if (shards > 1) add_collectives(timed, stage, shards);
    if (before != nullptr) add_hop(timed, stage, *before, part.kernels);
    return timed;
  }

 private:
  // Below its TDP a card keeps a share of its speed; the slowest of a group paces it.
  void slow_down(TimedStage& timed, const Stage& stage) const {
    Banded<double> decode{1, 1, 1};
    Banded<double> prefill{1, 1, 1};
    for (const int d : stage.devices) {
      const auto index = static_cast<std::size_t>(d);
      if (index >= q_.power_limits.size() || !q_.power_limits[index]) continue;
      const Watts tdp = q_.devices[index]->tdp.value;
      const Banded<double> decode_kept = decode_speed_at_limit(*q_.power_limits[index], tdp);
      const Banded<double> prefill_kept = prefill_speed_at_limit(*q_.power_limits[index], tdp);
      if (decode_kept.value < decode.value) decode = decode_kept;
      if (prefill_kept.value < prefill.value) prefill = prefill_kept;
    }
    const auto stretch = [](Prediction& time, const Banded<double>& kept) {
      time.value /= kept.value;
      time.low /= kept.high;
      time.high /= kept.low;
    };
    stretch(timed.decode, decode);
    stretch(timed.prefill, prefill);
  }

  const Device& slowest_of(const Stage& stage) const {
    const auto bandwidth = [&](int d) { return q_.devices[static_cast<std::size_t>(d)]->memory_bandwidth.value; };
    const int slowest = *std::min_element(stage.devices.begin(), stage.devices.end(),
                                          [&](int a, int b) { return bandwidth(a) < bandwidth(b); });
    return *q_.devices[static_cast<std::size_t>(slowest)];
  }

  void add_host_experts(TimedStage& timed, const ExpertShare& host, int layers) const {
    const Device& cpu = *q_.devices[static_cast<std::size_t>(q_.placement->expert_device)];
    const EngineRun run{.backend = backend_of(cpu)};
    const DeviceRates rates = make_device_rates(cpu);
    DecodeCall call = call_;
    call.context = 0;
    add(timed.decode, decode_step_time(host.on_host, call, rates, run, parameters_));
    add(timed.prefill, prefill_time(host.on_host, {.tokens = prompt_.value()}, rates, run, parameters_));
    // There and back once a layer, over the slot.
    const Bytes activation(static_cast<double>(q_.model->hidden) * 2);
    add(timed.network, pipeline_hop_time(activation * call_.batch, inside()), 2.0 * layers);
  }

  const CollectiveLink& link_of(const Stage& stage) const {
    for (const int device : stage.devices) {
      if (node(device) != node(stage.devices.front())) return q_.links.between;
    }
    return inside();
  }

  // A box with one card has no route between cards, yet layers or experts on its host cross the slot.
  const CollectiveLink& inside() const { return q_.links.inside.goodput.value() > 0 ? q_.links.inside : kHostLink; }

  // Two all-reduces a layer: after attention and after the MLP.
  void add_collectives(TimedStage& timed, const Stage& stage, int shards) const {
    const CollectiveLink& link = link_of(stage);
    const Bytes activation(static_cast<double>(q_.model->hidden) * 2);
    add(timed.network, all_reduce_time(shards, activation * call_.batch, link), 2.0 * stage.layer_count);
    // Every device sends 2 (n - 1) / n of the vector: 70B over two, 160 x 16,384 B = 2.62 MB a token each way.
    timed.moved += activation * (call_.batch * 2.0 * stage.layer_count * 2.0 * (shards - 1) / shards);
    add(timed.prompt_network, all_reduce_time(shards, activation * prompt_.value(), link), 2.0 * stage.layer_count);
  }

  void add_hop(TimedStage& timed, const Stage& stage, const Stage& before, double kernels) const {
    const int from = node(before.devices.front());
    const int to = node(stage.devices.front());
    const Bytes activation(static_cast<double>(q_.model->hidden) * 2 * q_.model->boundary_factor);
    const CollectiveLink& link = from == to ? inside() : q_.links.between;
    add(timed.network, pipeline_hop_time(activation * call_.batch, link));
    timed.moved += activation * call_.batch;
    add(timed.prompt_network, pipeline_hop_time(activation * prompt_.value(), link));
    if (from != to && q_.engine == Engine::llama_cpp) {
      const double vocabulary = stage.holds_head ? static_cast<double>(q_.model->vocabulary) : 0.0;
      const Prediction overhead = rpc_overhead(kernels, vocabulary, static_cast<double>(q_.model->hidden), link);
      add(timed.network, overhead);
      add(timed.prompt_network, overhead, std::ceil(prompt_.value() / kMicroBatch));
    }
  }

  int node(int device) const { return q_.nodes.empty() ? 0 : q_.nodes[static_cast<std::size_t>(device)]; }

  const SpeedQuestion& q_;
  const TimingParameters& parameters_;
  Tokens prompt_;
  DecodeCall call_;
};

Banded<TokensPerSecond> rate(Tokens tokens, const Prediction& time) {
  return {tokens / time.value, tokens / time.high, tokens / time.low};
}

// A prompt runs through the stages in micro-batches: the first fills the pipeline, the slowest stage paces the rest.
Prediction pipelined(const std::vector<TimedStage>& stages, double micro_batches) {
  Prediction total = zero();
  Prediction slowest = zero();
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

SpeedQuestion make_speed_question(const Scenario& scenario, const ModelFootprint& model,
                                  const PlanningDevices& planning, const MachineLinks& links,
                                  const Placement& placement) {
  SpeedQuestion question;
  question.model = &model;
  question.placement = &placement;
  question.devices = planning.devices;
  question.nodes = planning.nodes;
  question.power_limits = planning.power_limits;
  question.links = links;
  question.engine = scenario.engine.kind;
  question.workload = scenario.workload;
  question.kv_bytes_per_f16 = (kv_element_bytes(scenario.cache().k) + kv_element_bytes(scenario.cache().v)) / 4;
  return question;
}

Speed predict_speed(const SpeedQuestion& question, const TimingParameters& parameters) {
  const Placement& placement = *question.placement;
  OBLEA_CHECK(!placement.stages.empty(), "a placement has stages");
  const StageTimer timer(question, parameters);
  std::vector<TimedStage> stages;
  const Stage* before = nullptr;
  Prediction network = zero();
  Bytes moved{};
  Speed speed;
  for (const Stage& stage : placement.stages) {
    stages.push_back(timer.time(stage, before));
    add(speed.step, stages.back().decode);
    add(network, stages.back().network);
    moved += stages.back().moved;
    before = &stage;
  }
  add(speed.step, network);
  if (question.engine == Engine::vllm) add(speed.step, kServingOverhead);
  speed.estimated = question.engine != Engine::llama_cpp;
  speed.step.limit = limit_of(stages, network.value, speed.step.value);
  speed.network_share = network.value / speed.step.value;
  speed.traffic = {moved / speed.step.value, moved / speed.step.high, moved / speed.step.low};
  speed.busy.assign(question.devices.size(), 0.0);
  for (std::size_t i = 0; i < stages.size(); ++i) {
    for (const int d : placement.stages[i].devices) {
      speed.busy[static_cast<std::size_t>(d)] += stages[i].decode.value / speed.step.value;
    }
  }
  if (placement.expert_device >= 0) speed.busy[static_cast<std::size_t>(placement.expert_device)] = 1;
  speed.per_user = rate(Tokens(1), speed.step);
  speed.total = rate(Tokens(question.workload.users), speed.step);
  const double micro_batches = std::max(1.0, std::ceil(timer.prompt().value() / kMicroBatch));
  speed.first_token = pipelined(stages, micro_batches);
  speed.first_token.limit = TimingLimit::compute;
  speed.prefill = rate(timer.prompt(), speed.first_token);
  return speed;
}

}  // namespace oblea
