#include "study/size_search.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include <fmt/core.h>

#include "base/check.hpp"
#include "placement/layer_split.hpp"
#include "study/planning.hpp"
#include "study/refusal_words.hpp"
#include "study/size_frames.hpp"
#include "units/print.hpp"

namespace oblea {
namespace {

constexpr double kDiskSlack = 1.2;   // room beside the model file
constexpr int kSuppliesMax = 2;      // in one box
constexpr double kSpeedStep = 0.02;  // steps alike within 2 % are one kind of build
constexpr double kHopsWorthTelling = 0.01;

class Search {
 public:
  Search(const Scenario& scenario, const ProfileLibrary& library, const SizeParts& parts,
         const TimingParameters& timing, const Machine* owned)
      : scenario_(scenario),
        library_(library),
        parts_(parts),
        timing_(timing),
        frames_(scenario, library, parts, owned),
        mains_(mains_of(scenario.site)) {}

  SizeOutcome run() {
    outcome_.sets.resize(parts_.sets.size());
    for (std::size_t s = 0; s < parts_.sets.size(); ++s) search_set(s);
    return std::move(outcome_);
  }

 private:
  double budget() const { return scenario_.size.budget.amount; }

  PlanningDevices planning_of(const ModelFootprint& model, const Machine& machine, bool with_host) const {
    const EngineLoad load =
        engine_load(scenario_.engine, model, scenario_.cache(), scenario_.workload, layout_of(machine));
    return planning_devices(machine, load, scenario_.workload.context, library_, with_host);
  }

  // The model's own disk: the cheapest that holds the largest allowed file.
  const PricedKit* disk_for(Bytes weights) const {
    for (const PricedKit& disk : parts_.disks) {
      if (disk.kit->capacity.value >= weights * kDiskSlack) return &disk;
    }
    return nullptr;
  }

  void search_set(std::size_t s) {
    const CardSet& set = parts_.sets[s];
    SetOutcome& told = outcome_.sets[s];
    if (set.price > budget()) {
      told.why_not = "the cards alone exceed the budget";
      return;
    }
    const std::vector<Frame> frames = frames_.make(set, told.why_not);
    if (frames.empty()) return;
    best_.clear();
    off_loads_.clear();
    for (std::size_t m = 0; m < parts_.mixtures.size(); ++m) {
      if (is_more_than_enough(set, m)) {
        told.fits_in_memory = told.offered = true;  // beaten by fewer of the same card: no need to say why
        continue;
      }
      if (!place_on_cards(s, m, frames) && scenario_.size.allow_offload && set.soc_host == nullptr && set.boxes == 1) {
        place_with_host(s, m, frames);
      }
    }
    for (auto& [key, candidate] : best_) {
      if (!candidate.split.uses_host) enough_.insert({set.device, set.boxes, key.mixture});
      outcome_.candidates.push_back(std::move(candidate));
    }
  }

  // Layer split: once so many cards hold the model, one more of them costs money and watts and gives no speed. Sets
  // come by price, so fewer of the same card have been seen.
  bool is_more_than_enough(const CardSet& set, std::size_t m) const {
    return scenario_.engine.kind != Engine::vllm && enough_.contains({set.device, set.boxes, m});
  }

  // On the cards alone. True when some split fits.
  bool place_on_cards(std::size_t s, std::size_t m, const std::vector<Frame>& frames) {
    const AllowedMixture& allowed = parts_.mixtures[m];
    const PlanningDevices planning = planning_of(allowed.model, frames.front().machine, false);
    std::vector<PlannedSplit> splits;
    if (scenario_.engine.kind == Engine::vllm) {
      splits =
          plan_splits(allowed.model, cache_demand(scenario_.workload, planning.load), planning, SplitWish::automatic);
    } else {
      splits.push_back({planning.accelerators > 1 ? "layer split" : "one device",
                        plan_layer_split(allowed.loads_on(planning.load), planning.cards()), false});
    }
    SetOutcome& told = outcome_.sets[s];
    bool any = false;
    for (const PlannedSplit& split : splits) {
      if (!fits(split.answer)) continue;
      any = told.fits_in_memory = true;  // first: what is said of a build that is too slow depends on it
      for (const Frame& frame : frames) complete(s, m, split, planning, frame);
    }
    if (!any) told.why_not = refusal_short(*refusal_of(splits.front().answer));  // the last mixture has the fewest bits
    return any;
  }

  void place_with_host(std::size_t s, std::size_t m, const std::vector<Frame>& frames) {
    const AllowedMixture& allowed = parts_.mixtures[m];
    for (const Frame& bare : frames) {
      if (bare.machine.boxes.front().owned) place_with_this_host(s, m, bare);
      if (FrameMaker::has_ram(bare)) continue;  // boxes that bring their RAM bring little
      for (const PricedKit& ram : parts_.rams) {
        Frame frame = bare;
        if (!FrameMaker::add_ram(frame, ram, allowed.model.weights() * 0.5) || frame.price > budget()) continue;
        place_with_this_host(s, m, frame);
      }
    }
  }

  void place_with_this_host(std::size_t s, std::size_t m, const Frame& frame) {
    const AllowedMixture& allowed = parts_.mixtures[m];
    const PlanningDevices planning = planning_of(allowed.model, frame.machine, true);
    // What goes to the host depends on the cards and on how much RAM there is, not on the board around it.
    const auto [known, is_new] =
        off_loads_.try_emplace({m, planning.placement.size(), frame.machine.boxes.front().ram_bytes.value()});
    if (is_new)
      known->second =
          plan_splits(allowed.model, cache_demand(scenario_.workload, planning.load), planning, SplitWish::offload);
    for (const PlannedSplit& split : known->second) {
      if (fits(split.answer)) complete(s, m, split, planning, frame);
    }
  }

  // RAM where it is still missing, the disk, then every supply.
  void complete(std::size_t s, std::size_t m, const PlannedSplit& split, const PlanningDevices& planning, Frame frame) {
    const bool owned = frame.machine.boxes.front().owned;
    const bool own_disk = parts_.sets[s].soc_host != nullptr || owned;
    if (!own_disk) {
      const PricedKit* disk = disk_for(parts_.mixtures[m].model.weights());
      if (disk == nullptr) return;
      for (Box& box : frame.machine.boxes) box.disk = disk->kit;
      frame.price += disk->price * static_cast<double>(frame.machine.boxes.size());
    }
    if (frame.machine.boxes.front().ram == nullptr && !FrameMaker::has_ram(frame)) {
      const auto cheapest = std::find_if(parts_.rams.begin(), parts_.rams.end(), [&](const PricedKit& ram) {
        return FrameMaker::add_ram(frame, ram, kRamMin);
      });
      if (cheapest == parts_.rams.end()) return;
    }
    if (frame.price > budget()) return;
    const Speed& speed = speed_of(s, m, split, planning, frame);
    if (too_slow(s, split, speed)) return;
    const Box& first = frame.machine.boxes.front();
    if (parts_.sets[s].soc_host != nullptr || first.host->psu_included || (owned && first.psu != nullptr)) {
      evaluate(s, m, split, speed, frame.machine, frame.price);
      if (!owned) return;
    }
    for (Box& box : frame.machine.boxes) box.owned_psu = false;
    // A second supply in a box only where no single one is enough.
    bool carried = false;
    for (int count = 1; count <= kSuppliesMax && !carried; ++count) {
      for (const PricedPsu& psu : parts_.psus) {
        const double price = frame.price + psu.price * count * static_cast<double>(frame.machine.boxes.size());
        if (price > budget()) break;
        for (Box& box : frame.machine.boxes) {
          box.psu = psu.psu;
          box.psu_count = count;
          box.supply_sharing.reset();
        }
        carried = evaluate(s, m, split, speed, frame.machine, price) == SupplyVerdict::fine || carried;
      }
    }
  }

  // Slower than the user wants; keeps the best that the host's help gave, for the answer why it lost.
  bool too_slow(std::size_t s, const PlannedSplit& split, const Speed& speed) {
    SetOutcome& told = outcome_.sets[s];
    const double rate = speed.per_user.value.value();
    if (split.uses_host && rate > told.off_load_tokens_per_s) {
      told.off_load_tokens_per_s = rate;
      told.off_load_words = split.name;
    }
    const bool slow =
        rate < scenario_.size.tokens_per_s_min || speed.first_token.value > scenario_.size.first_token_max;
    if (slow && told.fits_in_memory && !told.offered) {
      told.why_not = fmt::format("{} tokens/s a user, {} to the first token", print_number(rate, 2),
                                 print_time(speed.first_token.value));
    }
    return slow;
  }

  const Speed& speed_of(std::size_t s, std::size_t m, const PlannedSplit& split, const PlanningDevices& planning,
                        const Frame& frame) {
    const MachineLinks& links = frame.links;
    const Box& first = frame.machine.boxes.front();
    const double cpu = split.uses_host ? find(library_.devices, first.host->cpu)->memory_bandwidth.value.value() : 0;
    const SpeedKey key{s,
                       m,
                       split.name,
                       links.inside.goodput.value(),
                       links.between.goodput.value(),
                       links.between.latency.value(),
                       first.host->uplink ? static_cast<double>(first.host->uplink->value.lanes) : 0,
                       cpu};
    const auto known = speeds_.find(key);
    if (known != speeds_.end()) return known->second;
    const SpeedQuestion question =
        make_speed_question(scenario_, parts_.mixtures[m].model, planning, links, *placement_of(split.answer));
    return speeds_.emplace(key, predict_speed(question, timing_)).first->second;
  }

  // Counts the build, judges supply and circuit, and keeps it when it is the cheapest of its kind.
  SupplyVerdict evaluate(std::size_t s, std::size_t m, const PlannedSplit& split, const Speed& speed,
                         const Machine& machine, double price) {
    ++outcome_.evaluated;
    const SharedWork work = shared_work(placement_of(split.answer), scenario_.draft.has_value());
    const MachinePower power = assess_power(machine, speed.busy, work, mains_);
    const SupplyVerdict supply = worst_supply(power);
    SetOutcome& told = outcome_.sets[s];
    if (power.circuit.verdict == CircuitVerdict::does_not_fit) {
      if (!told.offered) told.why_not = circuit_words(power.circuit, mains_);
      return supply;
    }
    if (supply != SupplyVerdict::fine && supply != SupplyVerdict::tight) {
      if (!told.offered && told.fits_in_memory) told.why_not = "no supply in the budget carries it";
      return supply;
    }
    told.offered = true;
    // What makes the same cards faster or slower: the host where it helps, the links where shards talk over them.
    std::string kind = split.name;
    if (split.uses_host) kind += machine.boxes.front().host->id;
    if (split.name.starts_with("tensor"))
      kind += fmt::format(" {:.0f}", std::log(speed.step.value.value()) / kSpeedStep);
    keep(
        {s, m, kind},
        [&] { return BuildCandidate{machine, s, m, split, speed, price, power.wall_decode.value.value(), supply}; },
        supply, price, speed);
    return supply;
  }

  struct KeepKey {
    std::size_t set;
    std::size_t mixture;
    std::string split;
    friend auto operator<=>(const KeepKey&, const KeepKey&) = default;
  };

  // A fine supply beats a tight one; then the cheaper build, unless it is slower by more than it is worth telling.
  template <class Make>
  void keep(const KeepKey& key, Make make, SupplyVerdict supply, double price, const Speed& speed) {
    const auto it = best_.find(key);
    if (it == best_.end()) {
      best_.emplace(key, make());
      return;
    }
    BuildCandidate& old = it->second;
    const bool finer = supply == SupplyVerdict::fine && old.supply != SupplyVerdict::fine;
    const bool coarser = supply != SupplyVerdict::fine && old.supply == SupplyVerdict::fine;
    const bool much_slower =
        speed.step.value > old.speed.step.value * (1 + kHopsWorthTelling) && price > 0.9 * old.price;
    if (coarser || (!finer && (price >= old.price || much_slower))) return;
    old = make();
  }

  struct SpeedKey {
    std::size_t set;
    std::size_t mixture;
    std::string split;
    double inside, between, latency, uplink_lanes, cpu;
    friend auto operator<=>(const SpeedKey&, const SpeedKey&) = default;
  };

  const Scenario& scenario_;
  const ProfileLibrary& library_;
  const SizeParts& parts_;
  const TimingParameters& timing_;
  FrameMaker frames_;
  const Mains mains_;
  SizeOutcome outcome_;
  std::map<KeepKey, BuildCandidate> best_;                        // of the set at hand
  std::set<std::tuple<const Device*, int, std::size_t>> enough_;  // card, boxes, mixture that a smaller set holds
  std::map<std::tuple<std::size_t, std::size_t, double>, std::vector<PlannedSplit>>
      off_loads_;  // mixture, devices, RAM
  std::map<SpeedKey, Speed> speeds_;
};

bool beats(const BuildCandidate& a, const BuildCandidate& b, const SizeParts& parts) {
  const double a_speed = sure_speed(a);
  const double b_speed = sure_speed(b);
  const double a_bits = parts.mixtures[a.mixture].mixture->nominal_bits;
  const double b_bits = parts.mixtures[b.mixture].mixture->nominal_bits;
  const bool no_worse = a.price <= b.price && a_speed >= b_speed && a.wall_decode <= b.wall_decode && a_bits >= b_bits;
  return no_worse && (a.price < b.price || a_speed > b_speed || a.wall_decode < b.wall_decode || a_bits > b_bits);
}

}  // namespace

double sure_speed(const BuildCandidate& build) { return build.speed.per_user.low.value(); }

SizeOutcome search_builds(const Scenario& scenario, const ProfileLibrary& library, const SizeParts& parts,
                          const TimingParameters& timing, const Machine* owned) {
  return Search(scenario, library, parts, timing, owned).run();
}

std::vector<BuildCandidate> pareto_front(std::vector<BuildCandidate> candidates, const SizeParts& parts) {
  std::vector<BuildCandidate> front;
  for (const BuildCandidate& candidate : candidates) {
    const bool beaten = std::any_of(candidates.begin(), candidates.end(),
                                    [&](const BuildCandidate& other) { return beats(other, candidate, parts); });
    if (!beaten) front.push_back(candidate);
  }
  return front;
}

}  // namespace oblea
