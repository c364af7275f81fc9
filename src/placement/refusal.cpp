#include "placement/refusal.hpp"

#include <algorithm>

namespace oblea {

DoesNotFit refuse(const LayerLoads& loads, int shards, bool one_stage, std::span<const PartitionUnit> units,
                  UnitOrder order) {
  const int layers = loads.layer_count();
  const double devices = shards;
  DoesNotFit no;
  // All that the model weighs, though a few per cent may stay in host memory.
  no.weights =
      (loads.weights(0, layers) + loads.embedding_on_host() - Bytes(one_stage ? loads.tied_copy() : 0)) * devices;
  no.kv = loads.kv(0, layers, loads.demand().context) * loads.demand().concurrency * devices;
  no.state = loads.state(0, layers) * loads.demand().concurrency * devices;
  no.required = no.weights + no.kv + no.state;
  for (const PartitionUnit& unit : units) no.usable += Bytes(unit.capacity) * devices;
  no.usable -= loads.head_extra() * devices;
  no.missing = std::max(Bytes(0), no.required - no.usable);
  if (no.weights > no.usable) {
    no.why = WhyNot::weights_exceed_memory;
  } else {
    no.why = no.required > no.usable ? WhyNot::cache_exceeds_memory : WhyNot::layers_do_not_divide;
  }
  const Shortfall shortfall = least_shortfall({loads.memory(), loads.read(), loads.tied_copy()}, units, order);
  no.tightest_device = shortfall.run.unit;
  no.tightest_missing = Bytes(shortfall.bytes);
  no.tightest_usable = Bytes(units[static_cast<std::size_t>(shortfall.run.unit)].capacity);
  no.tightest_required = no.tightest_usable + no.tightest_missing;
  return no;
}

}  // namespace oblea
