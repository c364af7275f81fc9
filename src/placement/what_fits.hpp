// What fits: over the mixtures allowed, the best context that each leaves on the devices there are.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "placement/layer_loads.hpp"
#include "placement/placement.hpp"

namespace oblea {

// A model in one mixture.
struct MixtureCandidate {
  std::string name;
  double nominal_bits = 0;
  const ModelFootprint* footprint = nullptr;
};

struct MixtureFit {
  std::string name;
  double nominal_bits = 0;
  Bytes weights{};
  bool fits = false;
  Tokens context{};         // the largest of any layer split, at the asked concurrency; 0 when nothing fits
  Tokens pooled_context{};  // if memory had no borders between devices: an upper bound, what other tools print
};

// The largest whole context for which some layer split exists, whatever the split for smaller ones; at most `limit`.
// -1 token: not even an empty context.
// Example: 70B IQ2_M of 22.4 GiB on 15.2 + 11.2 GiB: pooled 4.0 GiB / 327,680 B = 13,107; layers are 0.28 GiB each, so
// the borders cost some of it.
Tokens best_context(const ModelFootprint& model, const CacheDemand& demand, std::span<const PlacementDevice> devices,
                    Tokens limit);

// From the most bits to the fewest; ties in the order given. `limit` is the model's own.
std::vector<MixtureFit> what_fits(std::span<const MixtureCandidate> candidates, const CacheDemand& demand,
                                  std::span<const PlacementDevice> devices, Tokens limit);

}  // namespace oblea
