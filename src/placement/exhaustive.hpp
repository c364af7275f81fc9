// Exhaustive planner: tries every cut and every order of units. Slow and plain; tests hold the fast planner to it.
#pragma once

#include <optional>
#include <span>

#include "placement/partition.hpp"

namespace oblea {

// The same answer as solve_partition, for at most 8 units and 16 items.
std::optional<Partition> solve_partition_exhaustively(const PartitionItems& items, std::span<const PartitionUnit> units,
                                                      UnitOrder order);

}  // namespace oblea
