#include "placement/what_fits.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "base/limits.hpp"
#include "placement/capacity.hpp"
#include "placement/layer_split.hpp"

namespace oblea {
namespace {

Tokens pooled_context(const ModelFootprint& model, const CacheDemand& demand, std::span<const PlacementDevice> devices,
                      Tokens limit) {
  const LayerLoads loads(model, demand);
  Bytes room =
      demand.buffers.at(demand.context, false) - loads.weights(0, loads.layer_count()) + Bytes(loads.tied_copy());
  for (const PlacementDevice& device : devices) room += device.usable;
  return std::min(limit, largest_context(loads, 0, loads.layer_count(), room, demand.concurrency));
}

}  // namespace

Tokens best_context(const ModelFootprint& model, const CacheDemand& demand, std::span<const PlacementDevice> devices,
                    Tokens limit) {
  const Bytes asked = demand.buffers.at(demand.context, false);
  std::vector<PlacementDevice> started(devices.begin(), devices.end());
  const double tokens = largest_whole(std::min(limit.value(), kMaxContextTokens), [&](double context) {
    CacheDemand tried = demand;
    tried.context = Tokens(context);
    const Bytes more = demand.buffers.at(tried.context, false) - asked;
    for (std::size_t i = 0; i < devices.size(); ++i) {
      started[i].usable = std::max(Bytes(0), devices[i].usable - more);
    }
    return layer_split_exists(LayerLoads(model, tried), started);
  });
  return Tokens(tokens);
}

std::vector<MixtureFit> what_fits(std::span<const MixtureCandidate> candidates, const CacheDemand& demand,
                                  std::span<const PlacementDevice> devices, Tokens limit) {
  std::vector<MixtureFit> fits;
  for (const MixtureCandidate& candidate : candidates) {
    OBLEA_CHECK(candidate.footprint != nullptr, "a candidate has a footprint");
    const Tokens context = best_context(*candidate.footprint, demand, devices, limit);
    MixtureFit fit{
        candidate.name, candidate.nominal_bits, candidate.footprint->weights(), context.value() >= 1, {}, {}};
    fit.context = std::max(context, Tokens(0));
    fit.pooled_context = pooled_context(*candidate.footprint, demand, devices, limit);
    fits.push_back(fit);
  }
  std::stable_sort(fits.begin(), fits.end(),
                   [](const MixtureFit& a, const MixtureFit& b) { return a.nominal_bits > b.nominal_bits; });
  return fits;
}

}  // namespace oblea
