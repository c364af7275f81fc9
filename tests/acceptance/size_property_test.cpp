// Random questions to `size`: the checker holds for every build, and a loop over everything finds no cheaper one.
#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "acceptance/build_checker.hpp"
#include "placement/layer_split.hpp"
#include "power/circuit.hpp"
#include "study/compatibility.hpp"
#include "study/machine_power.hpp"
#include "study/planning.hpp"
#include "study/size_parts.hpp"
#include "support/repository.hpp"

namespace oblea {
namespace {

constexpr unsigned kSeed = 20261130;

class Dice {
 public:
  explicit Dice(unsigned seed) : engine_(seed) {}
  template <class T>
  const T& one_of(const std::vector<T>& list) {
    return list[std::uniform_int_distribution<std::size_t>(0, list.size() - 1)(engine_)];
  }
  double between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  bool once_in(int n) { return std::uniform_int_distribution<int>(1, n)(engine_) == 1; }

 private:
  std::mt19937 engine_;
};

std::vector<std::string> sellable_devices() {
  std::vector<std::string> ids;
  for (const auto& [id, device] : test::repository_library().devices) {
    if (device.kind == DeviceKind::gpu || device.kind == DeviceKind::soc) ids.push_back(id);
  }
  return ids;
}

Scenario random_question(Dice& dice) {
  static const std::vector<std::string> models = {
      "llama-3.1-8b", "llama-3.3-70b", "qwen3-32b", "qwen3-30b-a3b",           "gpt-oss-120b",     "gpt-oss-20b",
      "gemma-3-27b",  "mixtral-8x7b",  "phi-4",     "mistral-large-2411-123b", "deepseek-v2-lite", "qwen3-235b-a22b"};
  static const std::vector<std::string> circuits = {"eu-16a", "us-15a", "us-20a", "uk-13a"};
  static const std::vector<std::string> ranks = {"speed", "price", "watts", "value"};
  static const std::vector<std::string> devices = sellable_devices();
  Scenario scenario;
  scenario.model = test::repository_model(dice.one_of(models));
  scenario.workload.users = std::floor(dice.between(1, 9));
  scenario.workload.context = Tokens(std::floor(std::exp(dice.between(std::log(512), std::log(32768)))));
  scenario.site.circuit = dice.one_of(circuits);
  scenario.size.rank_by = dice.one_of(ranks);
  scenario.size.budget = {std::exp(dice.between(std::log(300), std::log(12000))),
                          dice.once_in(3) ? Currency::usd : Currency::eur};
  scenario.size.allow_used = !dice.once_in(4);
  scenario.size.allow_offload = !dice.once_in(3);
  scenario.size.nodes_max = dice.once_in(3) ? 1 : dice.once_in(3) ? 3 : 2;
  if (dice.once_in(5)) scenario.engine.kind = Engine::vllm;
  if (!dice.once_in(20)) {  // else the whole library
    const int count = static_cast<int>(dice.between(1, 6));
    for (int i = 0; i < count; ++i) scenario.size.devices.push_back(dice.one_of(devices));
  }
  if (dice.once_in(6)) {
    NodeSettings box;
    box.name = "box";
    box.host = dice.one_of(
        std::vector<std::string>{"am4-b550-ryzen-5600", "x99-xeon-e5-2680-v4", "epyc-7302-romed8-2t-open-frame"});
    if (!dice.once_in(4))
      box.devices = {dice.one_of(std::vector<std::string>{"rtx-3090", "rtx-3060-12", "rx-7900-xtx"})};
    if (!dice.once_in(4)) box.psu = dice.one_of(std::vector<std::string>{"psu-850-gold", "psu-1600-gold"});
    box.ram = kGiB * 64;
    scenario.size.have = box;
  }
  return scenario;
}

std::string words_of(const Scenario& s) {
  std::string text = s.model.id + ", " + std::to_string(s.size.budget.amount) + ", users " +
                     std::to_string(s.workload.users) + ", context " + std::to_string(s.workload.context.value()) +
                     ", " + s.site.circuit + ", devices";
  for (const std::string& id : s.size.devices) text += " " + id;
  if (s.size.have) text += ", have " + s.size.have->host;
  return text;
}

TEST(SizeProperty, EveryBuildOfTwoHundredRandomQuestionsKeepsItsPromises) {
  Dice dice(kSeed);
  int answered = 0;
  for (int i = 0; i < 200; ++i) {
    const Scenario scenario = random_question(dice);
    SCOPED_TRACE("seed " + std::to_string(kSeed) + ", question " + std::to_string(i) + ": " + words_of(scenario));
    const Report report = test::size_of(scenario);
    answered += report.builds.empty() ? 0 : 1;
    EXPECT_EQ(test::answer_faults(report, scenario), "");
    EXPECT_EQ(report.builds.empty(), test::find_verdict(report.verdicts, "nothing-in-budget") != nullptr);
  }
  EXPECT_GT(answered, 60) << "most questions should have an answer, or nothing is tested";
}

// The cheapest build of one set of cards in equal boxes, by a loop over boards, RAM, disks, supplies and networks.
class Loop {
 public:
  explicit Loop(const Scenario& scenario) : scenario_(scenario), library_(test::repository_library()) {}

  double cheapest() {
    double best = kNone;
    const SizeParts parts = collect_parts(scenario_, library_);  // only for the quantisations that are allowed
    for (const AllowedMixture& allowed : parts.mixtures) {
      for (const std::string& id : scenario_.size.devices) {
        const Device& device = library_.devices.at(id);
        for (const auto& [host_id, host] : library_.hosts) {
          for (int boxes = 1; boxes <= scenario_.size.nodes_max; ++boxes) {
            for (int count = 1; count <= (host.soc ? 1 : scenario_.size.devices_max); ++count) {
              best = std::min(best, price(allowed, device, host, count, boxes));
            }
          }
        }
      }
    }
    return best;
  }

 private:
  static constexpr double kNone = std::numeric_limits<double>::infinity();

  double price_of_one(const std::string& id) const {
    const double each = price_of(library_, id, scenario_.size.budget.currency, scenario_.size.allow_used);
    return each < 0 ? kNone : each;
  }

  double price(const AllowedMixture& allowed, const Device& device, const Host& host, int count, int boxes) const {
    const bool own = host.soc.has_value();
    if (own != (device.kind == DeviceKind::soc) || (own && host.soc->value != device.id)) return kNone;
    Machine machine;
    Box box;
    box.host = &host;
    box.nic = find(library_.nics, host.nic);
    box.devices.assign(static_cast<std::size_t>(count), &device);
    box.ram_bytes = value_or(host.ram_included, Bytes(0));
    if (!own && !seat_cards(host, box.devices, nullptr, box.slots).empty()) return kNone;
    for (const PcieSlot& slot : box.slots) {
      if (slot.lanes < scenario_.size.pcie_lanes_min) return kNone;
    }
    machine.boxes.assign(static_cast<std::size_t>(boxes), box);
    const EngineLoad load =
        engine_load(scenario_.engine, allowed.model, scenario_.cache(), scenario_.workload, layout_of(machine));
    const PlanningDevices planning = planning_devices(machine, load, scenario_.workload.context, library_, false);
    if (!layer_split_exists(allowed.loads_on(load), planning.cards())) return kNone;

    double each = price_of_one(host.id) + (own ? 0 : count * price_of_one(device.id));
    if (!own) each += disk(allowed.model.weights(), machine) + ram(host, machine);
    double best = kNone;
    for (const auto& [network, with_nic] : networks(host, machine.boxes[0], boxes)) {
      Machine joined = machine;
      for (Box& b : joined.boxes) b.nic = with_nic;
      best = std::min(best, each * boxes + network + supplies(joined, own) * boxes);
    }
    return best;
  }

  double disk(Bytes weights, Machine& machine) const {
    double best = kNone;
    for (const auto& [id, storage] : library_.storage) {
      if (storage.kind != StorageKind::nvme || storage.capacity.value < weights * 1.2 || price_of_one(id) >= best)
        continue;
      best = price_of_one(id);
      for (Box& b : machine.boxes) b.disk = &storage;
    }
    return best;
  }

  double ram(const Host& host, const Machine& machine) const {
    if (machine.boxes[0].ram_bytes >= kGiB * 16) return 0;
    double best = kNone;
    for (const auto& [id, kit] : library_.storage) {
      const int kits = kits_for(host, kit, kGiB * 16);
      if (kits > 0) best = std::min(best, kits * price_of_one(id));
    }
    return best;
  }

  // Prices of joining the boxes, and the NIC that each then has.
  std::vector<std::pair<double, const Nic*>> networks(const Host& host, const Box& box, int boxes) const {
    if (boxes == 1) return {{0, box.nic}};
    std::vector<std::pair<double, const Nic*>> options;
    for (const auto& [id, nic] : library_.nics) {
      const bool added = id != host.nic;
      std::vector<PcieSlot> slots;
      if (added && (!nic.pcie_lanes || host.soc || !seat_cards(host, box.devices, &nic, slots).empty())) continue;
      const double nics = added ? price_of_one(id) * boxes : 0;
      double cable = kNone;
      for (const auto& [cable_id, c] : library_.cables) {
        if (c.port == nic.port) cable = std::min(cable, price_of_one(cable_id));
      }
      if (boxes == 2) options.push_back({nics + cable, &nic});
      for (const auto& [switch_id, s] : library_.switches) {
        if (boxes > 2 && matching_ports(s, nic) >= boxes)
          options.push_back({nics + cable * boxes + price_of_one(switch_id), &nic});
      }
    }
    return options;
  }

  // Of one box: none where it brings its own, else the cheapest that is fine; one supply before two; tight ones count
  // only where none is fine. The circuit has to carry the whole.
  double supplies(Machine machine, bool own) const {
    const Mains mains = mains_of(scenario_.site);
    // Cards that share the layers work in turns.
    const SharedWork work{all_devices(machine).size() > 1 ? WorkSplit::layers : WorkSplit::independent, false};
    const auto carried = [&] {
      return assess_power(machine, {}, work, mains).circuit.verdict != CircuitVerdict::does_not_fit;
    };
    if (own || machine.boxes[0].host->psu_included) return carried() ? 0 : kNone;
    double tight = kNone;
    for (int count = 1; count <= 2; ++count) {
      double fine = kNone;
      for (const auto& [id, psu] : library_.psus) {
        if (!psu.powers_board) continue;
        for (Box& box : machine.boxes) {
          box.psu = &psu;
          box.psu_count = count;
        }
        const SupplyVerdict verdict = worst_supply(assess_power(machine, {}, work, mains));
        if (!carried()) continue;
        if (verdict == SupplyVerdict::fine) fine = std::min(fine, count * price_of_one(id));
        if (verdict == SupplyVerdict::tight) tight = std::min(tight, count * price_of_one(id));
      }
      if (fine < kNone) return fine;
    }
    return tight;
  }

  const Scenario& scenario_;
  const ProfileLibrary& library_;
};

TEST(SizeProperty, NoLoopOverEverythingFindsACheaperBuild) {
  Dice dice(kSeed + 1);
  const std::vector<std::string> devices = sellable_devices();
  const std::vector<std::string> models = {"llama-3.1-8b", "qwen3-32b", "llama-3.3-70b", "gpt-oss-20b", "mixtral-8x7b"};
  int answered = 0;
  for (int i = 0; i < 60; ++i) {
    Scenario scenario;
    scenario.model = test::repository_model(dice.one_of(models));
    scenario.workload.users = std::floor(dice.between(1, 4));
    scenario.workload.context = Tokens(std::floor(dice.between(1000, 16000)));
    scenario.site.circuit = dice.one_of(std::vector<std::string>{"eu-16a", "us-15a"});
    scenario.size.devices = {dice.one_of(devices), dice.one_of(devices)};
    if (dice.once_in(2)) scenario.size.devices.push_back(dice.one_of(devices));
    scenario.size.allow_used = !dice.once_in(3);
    scenario.size.allow_offload = false;
    scenario.size.nodes_max = dice.once_in(3) ? 2 : 1;
    scenario.size.devices_max = 4;
    scenario.size.tokens_per_s_min = 0;
    scenario.size.first_token_max = Seconds(1e9);
    scenario.size.rank_by = "price";
    scenario.size.budget = {1e7, Currency::eur};
    SCOPED_TRACE("seed " + std::to_string(kSeed + 1) + ", question " + std::to_string(i) + ": " + words_of(scenario));
    const double by_hand = Loop(scenario).cheapest();
    const Report report = test::size_of(scenario);
    ASSERT_EQ(report.builds.empty(), std::isinf(by_hand));
    if (report.builds.empty()) continue;
    ++answered;
    EXPECT_NEAR(test::value_of(report.builds.front().metrics, "price"), by_hand, 0.01) << report.builds.front().name;
  }
  EXPECT_GT(answered, 30);
}

}  // namespace
}  // namespace oblea
