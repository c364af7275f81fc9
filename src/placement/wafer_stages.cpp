// A wafer plan as the stages of a placement.
#include <algorithm>

#include "base/check.hpp"
#include "placement/capacity.hpp"
#include "placement/wafer.hpp"

namespace oblea {
namespace {

DoesNotFit refuse_wafers(WhyNot why, const ModelFootprint& model, double requests, Tokens context,
                         const std::vector<PlacementDevice>& wafers) {
  DoesNotFit no;
  no.why = why;
  no.weights = model.weights();
  for (const LayerFootprint& layer : model.layers) {
    no.kv += kv_bytes(layer, context) * requests;
    no.state += layer.state_per_request * requests;
  }
  no.required = no.weights + no.kv + no.state;
  for (const PlacementDevice& wafer : wafers) no.usable += wafer.usable;
  no.missing = std::max(Bytes(0), no.required - no.usable);
  return no;
}

// Without wafers enough, or with a wafer overfull by the requests asked for, the plan is refused.
DoesNotFit refuse_load(const WaferPlan& plan, DoesNotFit no, double requests, Tokens context) {
  for (std::size_t i = 0; i < plan.wafers.size(); ++i) {
    const Wafer& wafer = plan.wafers[i];
    const Bytes required = wafer.weights + (wafer.state_per_request + wafer.kv_per_token * context) * requests;
    if (no.tightest_device >= 0 && required <= no.tightest_required) continue;
    no.tightest_device = static_cast<int>(i);
    no.tightest_required = required;
  }
  no.tightest_usable = plan.sram;
  no.tightest_missing = std::max(Bytes(0), no.tightest_required - plan.sram);
  return no;
}

}  // namespace

PlacementAnswer place_on_wafers(const ModelFootprint& model, double requests, Tokens context, const WaferRules& rules,
                                const std::vector<PlacementDevice>& wafers) {
  OBLEA_CHECK(rules.rule != WaferRule::any_order, "stages run in pipeline order");
  if (wafers.empty()) return DoesNotFit{.why = WhyNot::no_devices};
  const WaferPlan plan = plan_wafers(model, wafers.front().usable, rules);
  if (plan.too_large_layer >= 0 || std::max(plan.embedding, plan.head) > plan.sram) {
    DoesNotFit no = refuse_wafers(WhyNot::layer_exceeds_wafer, model, requests, context, wafers);
    no.layer = plan.too_large_layer;
    return no;
  }
  const VocabularyPlace vocabulary = place_vocabulary(plan, requests, context);
  const int needed = static_cast<int>(plan.wafers.size()) + vocabulary.extra_wafers;
  if (requests > plan.requests_max || context > tokens_per_request(plan, requests)) {
    return refuse_load(plan, refuse_wafers(WhyNot::cache_exceeds_memory, model, requests, context, wafers), requests,
                       context);
  }
  if (needed > static_cast<int>(wafers.size())) {
    DoesNotFit no = refuse_wafers(WhyNot::weights_exceed_memory, model, requests, context, wafers);
    no.missing = std::max(no.missing, plan.sram * double(needed - static_cast<int>(wafers.size())));
    return no;
  }
  ModelFootprint bare = model;  // embedding and head stay with their layers only where the wafer has room
  if (!vocabulary.embedding_on_first) bare.embedding = bare.extra = Bytes(0);
  if (!vocabulary.head_on_last) bare.head = Bytes(0), bare.head_read = {};
  const LayerLoads loads(bare, {context, requests, {}});
  Placement placement;
  placement.kind = SplitKind::wafers;
  int device = 0;
  const int outside = static_cast<int>(plan.wafers.size());
  if (!vocabulary.embedding_on_first) placement.stages.push_back({0, 0, {outside}, true, false});
  for (const Wafer& wafer : plan.wafers) {
    const int begin = wafer.layers.front();
    const int end = wafer.layers.back() + 1;
    placement.stages.push_back({begin,
                                end - begin,
                                {device},
                                vocabulary.embedding_on_first && begin == 0,
                                vocabulary.head_on_last && end == loads.layer_count()});
    const Seconds time(wafers[static_cast<std::size_t>(device)].seconds_per_byte *
                       (loads.read()[end] - loads.read()[begin]));
    placement.slowest_stage = std::max(placement.slowest_stage, time);
    placement.all_stages += time;
    ++device;
  }
  const int head_wafer = outside + vocabulary.extra_wafers - 1;
  if (!vocabulary.head_on_last) placement.stages.push_back({loads.layer_count(), 0, {head_wafer}, false, true});
  account_memory(placement, loads, wafers);
  if (!vocabulary.embedding_on_first) placement.memory[outside].weights += vocabulary.embedding;
  const bool one_copy = plan.tied && !vocabulary.embedding_on_first;
  if (!vocabulary.head_on_last && !one_copy) placement.memory[head_wafer].weights += vocabulary.head;
  for (int extra = outside; extra < needed; ++extra) {
    placement.memory[extra].free = wafers[extra].usable - placement.memory[extra].weights;
  }
  return placement;
}

}  // namespace oblea
