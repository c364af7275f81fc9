#include "study/failures.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

#include <fmt/core.h>
#include <boost/random/exponential_distribution.hpp>

#include "base/limits.hpp"
#include "base/random.hpp"

namespace oblea {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

struct Outage {
  std::string what;
  double from_s = 0;
  double to_s = kNever;
};

double mtbf_of(const FailureSettings& settings, ComponentKind kind) {
  switch (kind) {
    case ComponentKind::node:
      return settings.node_mtbf_s;
    case ComponentKind::device:
      return settings.device_mtbf_s;
    case ComponentKind::network:
      return settings.network_mtbf_s;
  }
  return 0;
}

double repaired_s(double at_s, double repair_s) { return repair_s > 0 ? at_s + repair_s : kNever; }

void add_by_chance(std::vector<Outage>& outages, const FailureSettings& settings, const Component& component,
                   double horizon_s) {
  const double mtbf = mtbf_of(settings, component.kind);
  if (mtbf <= 0) return;
  RandomStream stream = make_random_stream(settings.seed, "failures of " + component.name);
  boost::random::exponential_distribution<double> gap(1 / mtbf);
  for (double at = gap(stream); at < horizon_s; at += gap(stream)) {
    if (outages.size() > kMaxFailures) return;
    const double to = repaired_s(at, settings.repair_s);
    outages.push_back({component.name, at, to});
    if (to == kNever) return;
    at = to;
  }
}

}  // namespace

Result<std::vector<DownChange>> failure_timeline(const FailureSettings& settings,
                                                 const std::vector<Component>& components, double horizon_s) {
  std::vector<Outage> outages;
  for (const FailureEvent& event : settings.events) {
    if (event.at_s < horizon_s) outages.push_back({event.what, event.at_s, repaired_s(event.at_s, event.repair_s)});
  }
  for (const Component& component : components) add_by_chance(outages, settings, component, horizon_s);
  if (outages.size() > kMaxFailures) {
    return fail(fmt::format("more than {} failures in {:.3g} s", kMaxFailures, horizon_s),
                "a longer mean time between failures, or fewer requests");
  }
  std::vector<std::tuple<double, std::string, int>> steps;  // when, what, one outage more or less
  for (const Outage& outage : outages) {
    steps.emplace_back(outage.from_s, outage.what, 1);
    if (outage.to_s < kNever) steps.emplace_back(outage.to_s, outage.what, -1);
  }
  std::sort(steps.begin(), steps.end());
  std::map<std::string, int> open;
  std::vector<DownChange> changes;
  std::set<std::string> before;
  for (std::size_t i = 0; i < steps.size();) {
    const double now = std::get<0>(steps[i]);
    for (; i < steps.size() && std::get<0>(steps[i]) == now; ++i) open[std::get<1>(steps[i])] += std::get<2>(steps[i]);
    std::set<std::string> down;
    for (const auto& [what, count] : open) {
      if (count > 0) down.insert(what);
    }
    if (down != before) changes.push_back({now, down});
    before = std::move(down);
  }
  return changes;
}

}  // namespace oblea
