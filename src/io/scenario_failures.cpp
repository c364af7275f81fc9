#include "io/scenario_failures.hpp"

#include <algorithm>
#include <set>

#include <fmt/core.h>

#include "base/limits.hpp"
#include "base/suggest.hpp"
#include "io/scenario_sections.hpp"
#include "study/components.hpp"

namespace oblea {
namespace {

constexpr double kShortestMtbf = 1;  // s

FailureEvent parse_event(ObjectReader& reader, const std::vector<std::string>& known) {
  FailureEvent event;
  event.what = reader.text("what");
  const JsonValue* at = reader.optional("what");
  const bool is_known = std::find(known.begin(), known.end(), event.what) != known.end();
  if (at != nullptr && !event.what.empty() && !is_known) {
    reader.fault(*at, fmt::format("\"{}\" is no part of the cluster that could fail", event.what),
                 reader.is_full() ? "" : suggest(event.what, known));
  }
  event.at_s = reader.quantity("at", UnitKind::seconds, {});
  event.repair_s = reader.quantity_or("repair", UnitKind::seconds, 0);
  reader.finish();
  return event;
}

void parse_events(ObjectReader& reader, const std::vector<std::string>& known, FailureSettings& failures) {
  const JsonValue* list = reader.optional("events");
  if (list == nullptr) return;
  if (list->kind != JsonValue::Kind::array) {
    reader.fault(*list, "\"events\" must be a list");
  } else if (list->items.size() > kMaxFailures) {
    reader.fault(*list, fmt::format("{} events; the limit is {}", list->items.size(), kMaxFailures));
  } else {
    for (const JsonValue& item : list->items) {
      ObjectReader event(reader.document(), item, "event", reader.diagnostics());
      failures.events.push_back(parse_event(event, known));
    }
  }
}

}  // namespace

void parse_failures(ObjectReader& root, Scenario& scenario) {
  std::optional<ObjectReader> section = member_object(root, "failures");
  if (!section) return;
  ObjectReader& reader = *section;
  std::vector<std::string> known;
  for (const Component& component : components_of(scenario.cluster)) known.push_back(component.name);
  const std::set<std::string> distinct(known.begin(), known.end());
  if (known.empty()) {
    reader.fault(reader.value(), "only what \"cluster\" describes can fail", "describe the boxes in cluster.nodes");
  } else if (distinct.size() < known.size()) {
    reader.fault(reader.value(), "two nodes have the same name: it must say which of them fails",
                 "give each node a \"name\"");
  }
  FailureSettings failures;
  parse_events(reader, known, failures);
  const auto mtbf = [&](const char* key) {
    return reader.quantity_or(key, UnitKind::seconds, 0,
                              {kShortestMtbf, std::numeric_limits<double>::infinity(), false});
  };
  failures.device_mtbf_s = mtbf("device_mtbf");
  failures.node_mtbf_s = mtbf("node_mtbf");
  failures.network_mtbf_s = mtbf("network_mtbf");
  failures.repair_s = reader.quantity_or("repair", UnitKind::seconds, 0);
  failures.detect_s = reader.quantity_or("detect", UnitKind::seconds, failures.detect_s, {});
  failures.retry = reader.choice_or("in_flight", {"retry", "lose"}, "retry") == "retry";
  failures.seed = static_cast<std::uint64_t>(reader.integer_or("seed", 1, Range::between(0, 1e9)));
  reader.finish();
  scenario.failures = std::move(failures);
}

}  // namespace oblea
