// From a JSON object to one profile, one function a kind. Used by read_profiles.cpp only.
#pragma once

#include "hardware/library.hpp"
#include "io/fields.hpp"

namespace oblea {

Device parse_device(ObjectReader& reader);
Host parse_host(ObjectReader& reader);
Nic parse_nic(ObjectReader& reader);
Switch parse_switch(ObjectReader& reader);
Cable parse_cable(ObjectReader& reader);
Interconnect parse_interconnect(ObjectReader& reader);
std::vector<PcieLink> parse_pcie_links(ObjectReader& reader);
Psu parse_psu(ObjectReader& reader);
CoolingPart parse_cooling(ObjectReader& reader);
Fluid parse_fluid(ObjectReader& reader);
Storage parse_storage(ObjectReader& reader);
PriceList parse_price_list(ObjectReader& reader);

// "2x pcie-8pin + 1x 12vhpwr", "none". Notes a fault at `at` when it is something else.
PowerConnectors parse_connectors(ObjectReader& reader, const JsonValue& at);

}  // namespace oblea
