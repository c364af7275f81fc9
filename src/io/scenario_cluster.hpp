// ScenarioCluster: the sections of a scenario file that say what it runs on, and where: "cluster", "wafers", "cooling",
// "site".
#pragma once

#include "io/scenario_sections.hpp"
#include "study/scenario.hpp"

namespace oblea {

// One box: an object where it is used, or the path of a machine file, whose text then counts as input.
NodeSettings parse_box(ObjectReader& reader, const JsonValue& box, const std::string& what,
                       const ProfileLibrary& library, std::size_t index, Scenario& scenario);

// "cluster", "wafers", "cooling", "site".
void parse_cluster(ObjectReader& root, const ProfileLibrary& library, Scenario& scenario);
void parse_wafers(ObjectReader& root, const ProfileLibrary& library, Scenario& scenario);
void parse_cooling_loop(ObjectReader& root, const ProfileLibrary& library, Scenario& scenario);
void parse_site(ObjectReader& root, const ProfileLibrary& library, Scenario& scenario);

}  // namespace oblea
