#include "study/companions.hpp"

#include "base/check.hpp"
#include "llm/footprint.hpp"
#include "placement/engine_memory.hpp"
#include "placement/layer_loads.hpp"

namespace oblea {
namespace {

void add_draft(Companions& companions, const Scenario& scenario) {
  const Mixture* mixture = find_mixture(scenario.draft->mixture);
  OBLEA_CHECK(mixture != nullptr, "the scenario reader checks quantisations");
  const ModelFootprint model = make_footprint(scenario.draft->model, *mixture);
  EngineLoad load;
  load.engine = scenario.engine;
  load.shape = model.shape;
  load.requests = scenario.workload.users;
  const CacheDemand demand{.context = scenario.workload.context,
                           .concurrency = scenario.workload.users,
                           .rules = cache_rules(scenario.engine),
                           .buffers = engine_buffers(load)};
  const LayerLoads loads(model, demand);
  const int layers = loads.layer_count();
  companions.draft_weights = loads.weights(0, layers) - Bytes(loads.tied_copy());
  companions.draft_cache = (loads.kv(0, layers, demand.context) + loads.state(0, layers)) * demand.concurrency;
  companions.draft_buffers = loads.buffers(layers, demand.context);
}

}  // namespace

Companions companions_of(const Scenario& scenario) {
  Companions companions;
  if (scenario.draft) add_draft(companions, scenario);
  if (scenario.lora) {
    companions.adapters = adapter_bytes(scenario.model, scenario.lora->rank, scenario.lora->attention_only) *
                          double(scenario.lora->count);
  }
  if (scenario.vision && !scenario.vision->on_host) {
    companions.vision_weights = scenario.vision->tower.weights;
    companions.image = image_bytes(scenario.vision->tower, scenario.vision->image_tokens);
  }
  return companions;
}

}  // namespace oblea
