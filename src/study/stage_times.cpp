#include "study/stage_times.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "power/power_control.hpp"
#include "study/group_links.hpp"
#include "study/model_work.hpp"
#include "timing/decode.hpp"
#include "timing/prefill.hpp"

namespace oblea {
namespace {

// Card to its host through one slot: half a bounce. Conservative: a gen 3 x8 slot's half.
const CollectiveLink kHostLink{LinkClass::pcie_host_bounce, Seconds(7.5e-6), BytesPerSecond(3.1e9), Seconds(0)};

constexpr double kEightBitBytes = 34.0 / 32;  // blocks of 32 with a scale of 2 bytes

// Ranks that start and end each of their parts together wait for the slowest of them: by eye the median of 17 published
// runs of distributed-llama on 2 and 4 equal boxes (0.01 to 0.3 of the work; b4rtaz/distributed-llama README.md
// @0d1121e, pull 64), beyond what the wire takes.
constexpr Banded<double> kStragglers{0.12, 0.01, 0.3};

// Of one box's work what distributed-llama does not cut (output matrix, norms, conversions of activations): by eye from
// the times without transfer of the same runs, which follow work x (u + (1 - u) / n): 0.06 (70B) to 0.31.
constexpr Banded<double> kUncut{0.12, 0.05, 0.25};

EngineBackend backend_of(const Device& device) {
  if (device.kind == DeviceKind::cpu) return EngineBackend::cpu;
  if (device.vendor == "nvidia") return EngineBackend::cuda;
  if (device.vendor == "apple") return EngineBackend::metal;
  const bool compute_card = device.architecture.starts_with("cdna") || device.architecture.starts_with("gcn");
  return device.vendor == "amd" && compute_card ? EngineBackend::rocm : EngineBackend::vulkan;
}

Prediction times(const Prediction& part, double factor) {
  return {part.value * factor, part.low * factor, part.high * factor, part.limit};
}

void add(Prediction& sum, const Prediction& part) {
  sum.value += part.value;
  sum.low += part.low;
  sum.high += part.high;
}

void stretch(Prediction& time, const Banded<double>& kept) {
  time.value /= kept.value;
  time.low /= kept.high;
  time.high /= kept.low;
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
ModelWork host_experts(const ModelFootprint& model, int layers) {
  const ModelWork work = make_model_work(model, {.first = 0, .count = layers, .with_head = false});
  ModelWork on_host;
  on_host.expert = work.expert;
  on_host.experts = work.experts;
  on_host.active_experts = work.active_experts;
  on_host.kernels = 4.0 * layers;
  return on_host;
}

void subtract(UnpackLoads& loads, const UnpackLoads& moved) {
  for (std::size_t i = 0; i < loads.size(); ++i) {
    loads[i].bytes = std::max(0.0, loads[i].bytes - moved[i].bytes);
    loads[i].weights = std::max(0.0, loads[i].weights - moved[i].weights);
  }
}

const Device& slowest_of(const SpeedQuestion& question, const Stage& stage) {
  const auto bandwidth = [&](int d) { return question.devices[static_cast<std::size_t>(d)]->memory_bandwidth.value; };
  const int slowest = *std::min_element(stage.devices.begin(), stage.devices.end(),
                                        [&](int a, int b) { return bandwidth(a) < bandwidth(b); });
  return *question.devices[static_cast<std::size_t>(slowest)];
}

int node_of(const SpeedQuestion& question, int device) {
  return question.nodes.empty() ? 0 : question.nodes[static_cast<std::size_t>(device)];
}

// A box with one card has no route between cards, yet layers or experts on its host cross the slot.
const CollectiveLink& inside(const SpeedQuestion& question) {
  return question.links.inside.goodput.value() > 0 ? question.links.inside : kHostLink;
}

// A device's place in the topology: accelerators stand there box by box, in order.
DevicePlace place_of(const SpeedQuestion& question, int device) {
  if (question.nodes.empty()) return {0, device};
  const int node = node_of(question, device);
  const auto first = question.nodes.begin();
  return {node, static_cast<int>(std::count(first, first + device, node))};
}

CollectiveGroup group_of(const SpeedQuestion& question, const Stage& stage) {
  OBLEA_CHECK(question.links.topology.has_value(), "a group's ranks stand in a topology");
  std::vector<DevicePlace> ranks;
  for (const int device : stage.devices) ranks.push_back(place_of(question, device));
  return make_group_links(*question.links.topology, ranks, question.links.port_buffer);
}

}  // namespace

StageTimes::StageTimes(const SpeedQuestion& question, const Stage& stage, const Stage* before,
                       const TimingParameters& parameters)
    : parameters_(&parameters),
      kv_bytes_per_f16_(question.kv_bytes_per_f16),
      layers_(stage.layer_count),
      shards_(static_cast<int>(stage.devices.size())),
      host_link_(inside(question)) {
  const ModelFootprint& model = *question.model;
  const Placement& placement = *question.placement;
  activation_ = Bytes(static_cast<double>(model.hidden) * 2);
  hop_activation_ = Bytes(static_cast<double>(model.hidden) * 2 * model.boundary_factor);
  ModelWork work =
      make_model_work(model, {.first = stage.first_layer, .count = stage.layer_count, .with_head = stage.holds_head});
  host_layers_ = std::clamp(placement.host_expert_layers - stage.first_layer, 0, stage.layer_count);
  if (host_layers_ > 0) {
    host_experts_ = host_experts(model, host_layers_);
    subtract(work.expert, host_experts_.expert);
    const Device& cpu = *question.devices[static_cast<std::size_t>(placement.expert_device)];
    host_run_ = EngineRun{.backend = backend_of(cpu)};
    host_rates_ = make_device_rates(cpu);
  }
  part_ = shard(std::move(work), shards_);
  const Device& device = slowest_of(question, stage);
  run_ = EngineRun{.backend = backend_of(device)};
  if (question.engine == Engine::distributed_llama) {
    run_.family = EngineFamily::distributed_llama;
    run_.flash_attention = false;
  }
  rates_ = make_device_rates(device);
  slow_down(question, stage);
  star_ = run_.family == EngineFamily::distributed_llama;
  if (star_) activation_ = Bytes(static_cast<double>(model.hidden) * kEightBitBytes);
  if (shards_ > 1) group_ = group_of(question, stage);
  if (before == nullptr) return;
  hops_ = true;
  between_boxes_ = node_of(question, before->devices.front()) != node_of(question, stage.devices.front());
  hop_link_ = between_boxes_ ? question.links.between : inside(question);
  if (between_boxes_ && question.engine == Engine::llama_cpp) {
    const double vocabulary = stage.holds_head ? static_cast<double>(model.vocabulary) : 0.0;
    rpc_ = rpc_overhead(part_.kernels, vocabulary, static_cast<double>(model.hidden), hop_link_);
  }
}

// Held below its TDP a card keeps a share of its speed; the slowest of a group paces it.
void StageTimes::slow_down(const SpeedQuestion& question, const Stage& stage) {
  for (const int d : stage.devices) {
    const auto index = static_cast<std::size_t>(d);
    if (index >= question.controls.size()) continue;
    const PowerControl& control = question.controls[index];
    if (!control.cap && !control.clock_lock) continue;
    const Device& device = *question.devices[index];
    const Banded<double> decode_kept = speed_under(device, DevicePhase::decode, control, question.drafting);
    const Banded<double> prefill_kept = speed_under(device, DevicePhase::prefill, control);
    if (decode_kept.value < decode_kept_.value) decode_kept_ = decode_kept;
    if (prefill_kept.value < prefill_kept_.value) prefill_kept_ = prefill_kept;
  }
}

// Example: 4 boxes: 1.12 x (1 + 3 x 0.12) = 1.52 times a quarter of one box's work.
void StageTimes::keep_in_step(Prediction& time) const {
  if (!star_) return;
  const auto factor = [&](double stragglers, double uncut) {
    return shards_ == 1 ? 1 : (1 + stragglers) * (1 + uncut * (shards_ - 1));
  };
  time.value *= factor(kStragglers.value, kUncut.value);
  time.low *= factor(kStragglers.low, kUncut.low);
  time.high *= factor(kStragglers.high, kUncut.high);
}

Prediction StageTimes::decode(double batch, double context) const {
  const DecodeCall call{.batch = batch, .context = context, .kv_bytes_per_f16 = kv_bytes_per_f16_};
  Prediction time = decode_step_time(part_, call, rates_, run_, *parameters_);
  stretch(time, decode_kept_);
  keep_in_step(time);
  if (host_layers_ > 0) {
    DecodeCall on_host = call;
    on_host.context = 0;
    add(time, decode_step_time(host_experts_, on_host, host_rates_, host_run_, *parameters_));
  }
  return time;
}

std::vector<AttendedCost> StageTimes::attended() const {
  std::vector<AttendedCost> costs;
  for (const AttentionWork& group : part_.attention) {
    ModelWork alone;
    alone.attention = {group};
    const DecodeCall one{.batch = 1, .context = 1, .kv_bytes_per_f16 = kv_bytes_per_f16_};
    Prediction time = decode_step_time(alone, one, rates_, run_, *parameters_);
    keep_in_step(time);
    costs.push_back({time.value.value() / decode_kept_.value, group.window});
  }
  return costs;
}

Prediction StageTimes::prefill(double tokens, double depth) const {
  const PrefillCall call{.tokens = tokens, .depth = depth};
  Prediction time = prefill_time(part_, call, rates_, run_, *parameters_);
  stretch(time, prefill_kept_);
  keep_in_step(time);
  if (host_layers_ > 0) add(time, prefill_time(host_experts_, call, host_rates_, host_run_, *parameters_));
  return time;
}

Prediction StageTimes::all_reduces(double tokens) const {
  if (shards_ == 1) return {};
  const Bytes bytes = activation_ * tokens;
  return times(star_ ? star_sync_time(group_, bytes) : all_reduce_time(group_, bytes), 2.0 * layers_);
}

Prediction StageTimes::host_hops(double tokens) const {
  if (host_layers_ == 0) return {};
  return times(pipeline_hop_time(activation_ * tokens, host_link_), 2.0 * host_layers_);
}

Prediction StageTimes::hop(double tokens) const {
  return hops_ ? pipeline_hop_time(hop_activation_ * tokens, hop_link_) : Prediction{};
}

Prediction StageTimes::rpc() const { return rpc_; }

// Every device of a group sends 2 (n - 1) / n of the vector: 70B over two, 160 x 16,384 B = 2.62 MB a token each way.
// The middle of a star sends it to all others: 8B over four in eight bits, 64 x 3 x 4,352 B = 836 kB.
Bytes StageTimes::moved(double tokens) const {
  if (star_) return activation_ * (tokens * 2.0 * layers_ * (shards_ - 1));
  const Bytes reduced = activation_ * (tokens * 2.0 * layers_ * 2.0 * (shards_ - 1) / shards_);
  return hops_ ? reduced + hop_activation_ * tokens : reduced;
}

}  // namespace oblea
