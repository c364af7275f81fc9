#include "study/planned_fleet.hpp"

#include <algorithm>
#include <map>

#include <fmt/core.h>

#include "study/handover_cost.hpp"
#include "study/sub_cluster.hpp"

namespace oblea {
namespace {

// Plans each part of the cluster once.
class PartPlanner {
 public:
  PartPlanner(const ProfileLibrary& library, const TimingParameters& timing, const Loading& loading)
      : library_(library), timing_(timing), loading_(loading) {}

  Result<const PlannedPart*> plan(const Scenario& part) {
    const int readers = part.storage ? part.storage->nas_readers : 0;
    const std::string key = fmt::format("{} {} {}", part.workload.users, readers, part_words(part));
    const auto known = parts_.find(key);
    if (known != parts_.end()) return &known->second;
    Result<PlannedPart> planned = plan_part(part, library_, timing_, loading_);
    if (!planned) return fail(planned.error());
    return &parts_.emplace(key, std::move(*planned)).first->second;
  }

 private:
  const ProfileLibrary& library_;
  const TimingParameters& timing_;
  const Loading& loading_;
  std::map<std::string, PlannedPart> parts_;
};

// Of what is left, the part on which a step is fastest; `part` stays empty where the model fits none.
struct Best {
  std::string part;
  const PlannedPart* planned = nullptr;
  std::string why_none = "no card is left";
};

Result<Best> best_of(PartPlanner& planner, const std::vector<Scenario>& parts) {
  Best best;
  for (const Scenario& part : parts) {
    const Result<const PlannedPart*> planned = planner.plan(part);
    if (!planned) return fail(planned.error());
    if ((*planned)->plan == nullptr) {
      if (best.planned == nullptr) best.why_none = fmt::format("{}: {}", part_words(part), (*planned)->memory.words);
      continue;
    }
    if (best.planned != nullptr && best.planned->step_s <= (*planned)->step_s) continue;
    best = {part_words(part), *planned, ""};
  }
  return best;
}

std::string change_words(const std::set<std::string>& before, const std::set<std::string>& after) {
  std::string words;
  const auto add = [&](const std::string& what, const char* happened) {
    words += fmt::format("{}{} {}", words.empty() ? "" : ", ", what, happened);
  };
  for (const std::string& what : after) {
    if (!before.contains(what)) add(what, "fails");
  }
  for (const std::string& what : before) {
    if (!after.contains(what)) add(what, "is back");
  }
  return words;
}

// The only replica needs none.
std::string replica_name(const ServingSettings& serving, int replica) {
  if (serving.replicas == 1) return "";
  switch (role_of(serving, replica)) {
    case Role::prefill:
      return fmt::format("prefill {}", replica + 1);
    case Role::decode:
      return fmt::format("decode {}", replica + 1 - serving.prefill_replicas);
    case Role::whole:
      break;
  }
  return fmt::format("replica {}", replica + 1);
}

void widen(PlannedFleet& fleet, const PlannedPart& part) {
  fleet.low.decode = std::min(fleet.low.decode, part.low.decode);
  fleet.low.prefill = std::min(fleet.low.prefill, part.low.prefill);
  fleet.low.links = std::min(fleet.low.links, part.low.links);
  fleet.low.start = std::min(fleet.low.start, part.low.start);
  fleet.high.start = std::max(fleet.high.start, part.high.start);
  fleet.high.decode = std::max(fleet.high.decode, part.high.decode);
  fleet.high.prefill = std::max(fleet.high.prefill, part.high.prefill);
  fleet.high.links = std::max(fleet.high.links, part.high.links);
  if (part.origin == Origin::estimate) fleet.origin = Origin::estimate;
}

class FleetBuilder {
 public:
  FleetBuilder(const Scenario& scenario, PartPlanner& planner, const std::vector<DownChange>& timeline)
      : scenario_(scenario), planner_(planner), timeline_(timeline) {}

  // The replica's phases, and what happened at the border of each.
  Result<Replica> replica(const Scenario& part, int number, PlannedFleet& planned) {
    Replica replica{replica_name(scenario_.serving, number), role_of(scenario_.serving, number), {}};
    const PlannedPart& whole = planned.whole[static_cast<std::size_t>(number)];
    replica.phases.push_back({0, whole.plan, whole.plan->start_s});
    std::string running_on = part_words(part);
    std::set<std::string> before;
    std::map<std::set<std::string>, Best> known;  // of thousands of changes few differ
    for (const DownChange& change : timeline_) {
      auto best = known.find(change.down);
      if (best == known.end()) {
        Result<Best> found = best_of(planner_, left_of(part, number, change.down));
        if (!found) return fail(found.error());
        best = known.emplace(change.down, std::move(*found)).first;
      }
      const Best& left = best->second;
      const std::string what = change_words(before, change.down);
      before = change.down;
      if (left.part == running_on) continue;
      running_on = left.part;
      Phase phase{change.at_s, nullptr, change.at_s};
      if (left.planned != nullptr) {
        phase.plan = left.planned->plan;
        phase.ready_s = change.at_s + scenario_.failures->detect_s + phase.plan->start_s;
        widen(planned, *left.planned);
      }
      if (replica.phases.back().from_s == phase.from_s) replica.phases.pop_back();
      replica.phases.push_back(phase);
      planned.changes.push_back({change.at_s, number, what, left.part, left.why_none, phase.ready_s});
    }
    return replica;
  }

 private:
  // A split whose parts stand in different nodes hands caches over the network: without it nobody can answer.
  std::vector<Scenario> left_of(const Scenario& part, int number, const std::set<std::string>& down) const {
    const bool cut = role_of(scenario_.serving, number) == Role::decode && down.contains(kNetworkComponent) &&
                     first_card(scenario_, 0).node != first_card(scenario_, number).node;
    return cut ? std::vector<Scenario>{} : parts_left(part, down);
  }

  const Scenario& scenario_;
  PartPlanner& planner_;
  const std::vector<DownChange>& timeline_;
};

}  // namespace

Result<PlannedFleet> plan_fleet(const Scenario& scenario, const ProfileLibrary& library, const TimingParameters& timing,
                                const Loading& loading, const std::vector<DownChange>& timeline) {
  const Result<std::vector<Scenario>> parts = replica_scenarios(scenario);
  if (!parts) return fail(parts.error());
  PartPlanner planner(library, timing, loading);
  PlannedFleet planned;
  bool fits = true;
  for (Scenario part : *parts) {
    if (part.storage) part.storage->nas_readers = static_cast<int>(parts->size());
    const Result<const PlannedPart*> whole = planner.plan(part);
    if (!whole) return fail(whole.error());
    planned.whole.push_back(**whole);
    fits = fits && (*whole)->plan != nullptr;
    widen(planned, **whole);
  }
  if (!fits) return planned;  // with the verdicts of its parts
  FleetPlan& fleet = planned.fleet;
  fleet.balancing = scenario.serving.balancing;
  fleet.retry = !scenario.failures || scenario.failures->retry;
  FleetBuilder builder(scenario, planner, timeline);
  for (std::size_t r = 0; r < parts->size(); ++r) {
    Result<Replica> replica = builder.replica((*parts)[r], static_cast<int>(r), planned);
    if (!replica) return fail(replica.error());
    fleet.replicas.push_back(std::move(*replica));
  }
  const auto earlier = [](const FleetChange& a, const FleetChange& b) { return a.at_s < b.at_s; };
  std::stable_sort(planned.changes.begin(), planned.changes.end(), earlier);
  if (scenario.serving.prefill_replicas > 0) {
    const Result<HandoverCost> handover = handover_cost(scenario, library);
    if (!handover) return fail(handover.error());
    fleet.handover_latency_s = handover->latency_s;
    fleet.handover_s_per_token = handover->s_per_token;
    planned.handover = handover->words;
  }
  return planned;
}

}  // namespace oblea
