#include "study/split_gain.hpp"

#include <algorithm>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "placement/capacity.hpp"
#include "units/print.hpp"

namespace oblea {
namespace {

Tokens context_of_even_split(const LayerLoads& loads, std::span<const PlacementDevice> cards) {
  const int count = static_cast<int>(cards.size());
  Placement even;
  int first = 0;
  for (int d = 0; d < count; ++d) {
    const int layers = (loads.layer_count() - first) / (count - d);
    even.stages.push_back({first, layers, {d}, d == 0, d + 1 == count});
    first += layers;
  }
  Tokens least(loads.demand().context.value() * 1e9);
  for (const StageCapacity& stage : stage_capacities(loads, even, cards)) least = std::min(least, stage.context);
  return least;
}

}  // namespace

std::optional<std::string> split_gain_words(const Placement& placement, const LayerLoads& loads,
                                            const PlanningDevices& planning) {
  const std::span<const PlacementDevice> cards = planning.cards();
  const bool alike = std::all_of(cards.begin(), cards.end(),
                                 [&](const PlacementDevice& card) { return card.usable == cards.front().usable; });
  if (placement.kind != SplitKind::layers || alike) return std::nullopt;
  std::vector<int> layers;
  for (const Stage& stage : placement.stages) layers.push_back(stage.layer_count);
  return fmt::format("layers {} (-ts {}) hold {} tokens a request; an even split holds {}", fmt::join(layers, " + "),
                     fmt::join(layers, ","), print_count(placement.context_max.value()),
                     print_count(context_of_even_split(loads, cards).value()));
}

}  // namespace oblea
