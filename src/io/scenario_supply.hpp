// ScenarioSupply: what a scenario says of supplies, clocks and mains: keys of a node, and of the site.
#pragma once

#include "io/scenario_sections.hpp"
#include "study/scenario.hpp"

namespace oblea {

// "psu", "psu_count", "supply_sharing" or "supplies"; "power_limit" and "clock_lock". After the node's host and
// devices.
void parse_node_power(ObjectReader& node, const ProfileLibrary& library, NodeSettings& settings);

// "breaker", "other_loads", "ups".
void parse_site_mains(ObjectReader& reader, Site& site);

}  // namespace oblea
