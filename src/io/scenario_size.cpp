#include "io/scenario_size.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/limits.hpp"
#include "io/scenario_cluster.hpp"
#include "io/scenario_model.hpp"

namespace oblea {
namespace {

void parse_budget(ObjectReader& reader, SizeWishes& size) {
  const JsonValue* budget = reader.optional("budget");
  if (budget == nullptr) return;
  if (budget->kind != JsonValue::Kind::string) {
    reader.fault(*budget,
                 fmt::format("\"budget\" must be an amount with its currency, not {}", kind_name(budget->kind)),
                 "such as \"3500 EUR\"");
    return;
  }
  const ParsedMoney parsed = parse_money(budget->text);
  if (!parsed.error.message.empty()) {
    reader.fault(*budget, "\"budget\": " + parsed.error.message, parsed.error.hint);
  } else if (parsed.money.amount <= 0) {
    reader.fault(*budget, fmt::format("\"budget\" is {}; it must be greater than 0", budget->text));
  }
  size.budget = parsed.money;
}

// The box that is already there.
void parse_have(ObjectReader& reader, const ProfileLibrary& library, Scenario& scenario) {
  const JsonValue* have = reader.optional("have");
  if (have == nullptr) return;
  scenario.size.have = parse_box(reader, *have, "\"have\"", library, 0, scenario);
  if (!scenario.size.have->supplies.empty()) {
    reader.fault(*have, "size adds cards to a box with equal supplies only: which supply feeds them is not its to say",
                 "give \"psu\" and \"psu_count\" in place of \"supplies\"");
  }
}

}  // namespace

void parse_size(ObjectReader& root, const ProfileLibrary& library, Scenario& scenario) {
  auto reader = member_object(root, "size");
  if (!reader) return;
  SizeWishes& size = scenario.size;
  parse_budget(*reader, size);
  size.mixtures = reader->texts("quantisations");
  for (std::size_t i = 0; i < size.mixtures.size(); ++i) check_mixture(*reader, "quantisations", size.mixtures[i], i);
  size.devices = reader->texts("devices");
  for (std::size_t i = 0; i < size.devices.size(); ++i) {
    check_id(*reader, "devices", size.devices[i], library.devices, i);
  }
  size.nodes_max = static_cast<int>(reader->integer_or("nodes_max", size.nodes_max, Range::between(1, 8)));
  size.devices_max = static_cast<int>(reader->integer_or("devices_max", size.devices_max, Range::between(1, 16)));
  size.pcie_lanes_min =
      static_cast<int>(reader->integer_or("pcie_lanes_min", size.pcie_lanes_min, Range::between(1, 16)));
  size.allow_used = reader->boolean_or("allow_used", size.allow_used);
  size.allow_offload = reader->boolean_or("allow_offload", size.allow_offload);
  size.tokens_per_s_min = reader->number_or("tokens_per_s_min", size.tokens_per_s_min);
  size.first_token_max =
      Seconds(reader->quantity_or("first_token_max", UnitKind::seconds, size.first_token_max.value()));
  size.rank_by = reader->choice_or("rank_by", {"speed", "price", "watts", "value"}, size.rank_by);
  parse_have(*reader, library, scenario);
  reader->finish();
}

}  // namespace oblea
