#include "acceptance/build_checker.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include <fmt/core.h>

#include "llm/mixture.hpp"
#include "support/repository.hpp"

namespace oblea::test {
namespace {

constexpr double kSlack = 1e-6;

// Watts that a circuit carries for hours: the breaker in Europe, 80 % of it in America.
double circuit_watts(const std::string& id) {
  static const std::map<std::string, double> limits = {
      {"eu-16a", 230 * 16.0}, {"uk-13a", 230 * 13.0}, {"us-15a", 120 * 15 * 0.8}, {"us-20a", 120 * 20 * 0.8}};
  return limits.at(id);
}

double mains_volts(const std::string& circuit) { return circuit.starts_with("us") ? 120 : 230; }

// Efficiency between the points of the curve, by hand.
double efficiency(const Psu& psu, double load, double volts) {
  const bool low = volts < 180 && !psu.efficiency_115v.value.empty();
  const std::vector<EfficiencyPoint>& curve = low ? psu.efficiency_115v.value : psu.efficiency_230v.value;
  if (load <= curve.front().load) return curve.front().efficiency;
  for (std::size_t i = 1; i < curve.size(); ++i) {
    if (load > curve[i].load) continue;
    const double share = (load - curve[i - 1].load) / (curve[i].load - curve[i - 1].load);
    return curve[i - 1].efficiency + share * (curve[i].efficiency - curve[i - 1].efficiency);
  }
  return curve.back().efficiency;
}

class Checker {
 public:
  Checker(const BuildRow& build, const Scenario& scenario)
      : build_(build), scenario_(scenario), library_(repository_library()) {}

  std::string check() {
    read_bill();
    if (host_ == nullptr) return "no host in the bill\n";
    check_price();
    check_memory();
    check_seats();
    check_supplies();
    check_circuit();
    check_network();
    check_storage();
    check_promises();
    return faults_;
  }

 private:
  template <class... Args>
  void fault(fmt::format_string<Args...> text, Args&&... args) {
    faults_ +=
        fmt::format("{} ({}): ", build_.name, build_.mixture) + fmt::format(text, std::forward<Args>(args)...) + "\n";
  }

  double metric(const char* name) {
    const Metric* found = find_metric(build_.metrics, name);
    if (found == nullptr) fault("no figure {}", name);
    return found == nullptr ? NAN : found->value;
  }

  // Sorts the bill's lines by what the library says they are; the box at hand comes first.
  void read_bill() {
    const auto& have = scenario_.size.have;
    if (have) {
      host_ = find(library_.hosts, have->host);
      boxes_ = 1;
      for (const std::string& id : have->devices) cards_.push_back(find(library_.devices, id));
      if (!have->psu.empty()) psu_ = find(library_.psus, have->psu);
      psus_ = have->psu_count;
    }
    for (const BillLine& line : build_.bill.lines) {
      if (const Host* host = find(library_.hosts, line.item)) {
        if (have) fault("{} is at hand and yet in the bill", line.item);
        if (host_ != nullptr) fault("two kinds of host");
        host_ = host;
        boxes_ = line.count;
      } else if (const Device* device = find(library_.devices, line.item)) {
        cards_.insert(cards_.end(), static_cast<std::size_t>(line.count), device);
      } else if (const Psu* psu = find(library_.psus, line.item)) {
        psu_ = psu;
        psus_ = line.count;
      } else if (const Storage* storage = find(library_.storage, line.item)) {
        (storage->kind == StorageKind::ram ? ram_ : disk_) = storage;
        (storage->kind == StorageKind::ram ? ram_kits_ : disks_) = line.count;
      } else if (const Nic* nic = find(library_.nics, line.item)) {
        nic_ = nic;
        nics_ = line.count;
      } else if (const Switch* network_switch = find(library_.switches, line.item)) {
        switch_ = network_switch;
      } else if (const Cable* cable = find(library_.cables, line.item)) {
        cable_ = cable;
        cables_ = line.count;
      } else {
        fault("{} in the bill is no part", line.item);
      }
      if (!scenario_.size.allow_used && line.condition == Condition::used) fault("{} is used", line.item);
    }
    if (host_ != nullptr && host_->soc) soc_ = find(library_.devices, host_->soc->value);
    if (boxes_ == 0 || cards_.size() % static_cast<std::size_t>(boxes_) != 0)
      fault("{} cards in {} boxes", cards_.size(), boxes_);
  }

  // Sum of the lines, each at the list's own price, in the budget's currency.
  void check_price() {
    double sum = 0;
    for (const BillLine& line : build_.bill.lines) {
      double each = line.unit_price.amount;
      const double rate = library_.prices.rates.euros_per_usd;
      if (line.unit_price.currency == Currency::usd && scenario_.size.budget.currency == Currency::eur) each *= rate;
      if (line.unit_price.currency == Currency::eur && scenario_.size.budget.currency == Currency::usd) each /= rate;
      sum += each * line.count;
      const auto listed = [&](const Price& price) {
        return price.item == line.item && price.money == line.unit_price && price.condition == line.condition;
      };
      if (std::none_of(library_.prices.prices.begin(), library_.prices.prices.end(), listed))
        fault("{} has another price in the list", line.item);
      if (line.count < 1) fault("{} x {}", line.count, line.item);
    }
    if (std::abs(sum - metric("price")) > 0.01) fault("lines sum to {:.2f}, price is {:.2f}", sum, metric("price"));
    if (sum > scenario_.size.budget.amount + 0.01) fault("{:.2f} exceeds the budget", sum);
  }

  // Least bytes of one request's cache by the model's geometry: full and sliding attention; other kinds count as
  // nothing.
  double cache_bytes() const {
    const double context = scenario_.workload.context.value();
    double sum = 0;
    for (const Layer& layer : scenario_.model.layers) {
      const Attention& a = layer.attention;
      double tokens = 0;
      if (a.kind == AttentionKind::full) tokens = context;
      if (a.kind == AttentionKind::sliding) tokens = std::min<double>(context, static_cast<double>(a.window));
      sum += tokens * static_cast<double>(a.kv_heads * (a.head_dim + a.head_dim)) * kv_element_bytes(scenario_.kv);
    }
    return sum;
  }

  void check_memory() {
    double weights = 0, cache = 0;
    std::size_t row_number = 0;
    for (const DeviceRow& row : build_.devices) {
      const double held = (row.weights + row.kv + row.state + row.buffers + row.runtime).value();
      if (held > row.capacity.value() * (1 + kSlack))
        fault("{} holds {} of {}", row.device, held, row.capacity.value());
      if (std::abs(held + row.free.value() - row.capacity.value()) > 1024) fault("{} does not add up", row.device);
      weights += row.weights.value();
      cache += (row.kv + row.state).value();
      const Device* device = soc_ != nullptr ? soc_ : row_number < cards_.size() ? cards_[row_number] : nullptr;
      if (device != nullptr && row.capacity.value() > device->memory.value.value() * (1 + kSlack))
        fault("{} has less memory", row.device);
      if (device != nullptr && row.runtime + row.buffers < kGiB * 0.5)
        fault("{}: nothing kept for the engine", row.device);
      ++row_number;
    }
    // llama.cpp leaves the token embedding in host memory, at most 16 bit a weight.
    const bool left = scenario_.engine.kind == Engine::llama_cpp && soc_ == nullptr;
    const double embedding = 2.0 * double(scenario_.model.vocabulary) * double(scenario_.model.hidden);
    if (weights + (left ? embedding : 0) < metric("weights_gib") * kGiB.value() * (1 - kSlack))
      fault("only {} of the weights are somewhere", weights);
    const double wanted = cache_bytes() * scenario_.workload.users;
    if (cache < wanted * (1 - kSlack)) fault("KV of {} against {}", cache, wanted);
    const std::size_t accelerators = cards_.size() + (soc_ != nullptr ? static_cast<std::size_t>(boxes_) : 0);
    const std::size_t rows = build_.devices.size();
    if (rows < accelerators || rows > accelerators + 1) fault("{} rows for {} devices", rows, accelerators);
  }

  std::size_t cards_a_box() const { return boxes_ == 0 ? 0 : cards_.size() / static_cast<std::size_t>(boxes_); }

  void check_seats() {
    const std::vector<PcieSlot>& slots = host_->slots.value;
    const std::size_t for_nic = nic_ != nullptr && nic_->pcie_lanes ? 1 : 0;
    if (cards_a_box() + for_nic > slots.size())
      fault("{} cards and {} NICs in {} slots", cards_a_box(), for_nic, slots.size());
    if (static_cast<double>(cards_a_box()) > host_->gpu_max.value)
      fault("{} cards where {} go", cards_a_box(), host_->gpu_max.value);
    for (std::size_t i = 0; i < cards_a_box() && i < slots.size(); ++i) {
      if (!host_->risers && value_or(cards_[i]->slot_width, 2.0) > slots[i].width) fault("card {} is too wide", i);
      if (cards_[i]->vendor != cards_[0]->vendor) fault("cards of two makers");
      if (cards_[i]->kind != DeviceKind::gpu) fault("{} is no card", cards_[i]->id);
    }
  }

  // DC watts of a box besides its cards.
  double board_watts() const {
    double watts = host_->load.value.value();
    if (nic_ != nullptr) watts += nic_->power.value.value();
    if (disk_ != nullptr) watts += disk_->power.value.value();
    return watts;
  }

  double card_watts(const Device& card) const {
    const auto& have = scenario_.size.have;
    return have && have->power_limit ? std::min(card.tdp.value.value(), have->power_limit->value())
                                     : card.tdp.value.value();
  }

  // Do these cards go on one supply, beside `board` watts and the board's own plug?
  bool carries(const std::vector<const Device*>& cards, double board, bool feeds_board) const {
    double watts = board, transient = board;
    PowerConnectors free = psu_->connectors.value;
    if (feeds_board) free.eps_8pin = std::max(0, free.eps_8pin - 1);
    int eight = 0;
    for (const Device* card : cards) {
      const PowerConnectors plugs = value_or(card->power_connectors, PowerConnectors{});
      watts += card_watts(*card);
      transient += value_or(card->transient_peak, card->tdp.value * 1.57).value();
      const int adapters = card_watts(*card) <= 300 ? 2 : card_watts(*card) <= 450 ? 3 : 4;
      eight += plugs.pcie_8pin;
      for (int i = 0; i < plugs.hpwr_12v; ++i) eight += free.hpwr_12v-- > 0 ? 0 : adapters;
      for (int i = 0; i < plugs.pcie_6pin; ++i) eight += free.pcie_6pin-- > 0 ? 0 : 1;
      for (int i = 0; i < plugs.eps_8pin; ++i) eight += free.eps_8pin-- > 0 ? 0 : 2;
    }
    const double rated = psu_->rated.value.value();
    return watts <= rated * (1 + kSlack) && transient <= rated * psu_->excursion_factor.value * (1 + kSlack) &&
           eight <= free.pcie_8pin;
  }

  // Some way of hanging a box's cards on its supplies exists.
  void check_supplies() {
    const std::vector<const Device*> cards(cards_.begin(), cards_.begin() + static_cast<std::ptrdiff_t>(cards_a_box()));
    if (psu_ == nullptr) {
      if (!host_->psu_included) fault("no supply");
      const double soc = soc_ == nullptr ? 0 : soc_->tdp.value.value();
      if (host_->psu_included && soc > host_->psu_included->value.value())
        fault("own supply of {} W", host_->psu_included->value.value());
      return;
    }
    if (psus_ % boxes_ != 0) fault("{} supplies in {} boxes", psus_, boxes_);
    const int count = psus_ / boxes_;
    if (count > 2) fault("{} supplies in a box", count);
    for (unsigned on_second = 0; on_second < (count > 1 ? 1u << cards.size() : 1u); ++on_second) {
      std::vector<const Device*> first, second;
      for (std::size_t i = 0; i < cards.size(); ++i) ((on_second >> i & 1) != 0 ? second : first).push_back(cards[i]);
      if (carries(first, board_watts(), true) && carries(second, 0, false)) return;
    }
    fault("{}x {} do not carry it", count, psu_->id);
  }

  void check_circuit() {
    const double limit = circuit_watts(scenario_.site.circuit);
    const double wall = metric("wall_peak_w");
    if (wall > limit) fault("{} W on a circuit of {} W", wall, limit);
    double dc = board_watts() * boxes_;
    for (const Device* card : cards_) dc += card_watts(*card);
    if (soc_ != nullptr) dc += soc_->tdp.value.value() * boxes_;
    if (dc > limit) fault("{} W DC on a circuit of {} W", dc, limit);
    if (dc > wall) fault("{} W at the wall for {} W DC", wall, dc);
    if (psu_ == nullptr) return;
    const double expected =
        dc / efficiency(*psu_, dc / psus_ / psu_->rated.value.value(), mains_volts(scenario_.site.circuit));
    const double network = switch_ == nullptr ? 0 : switch_->power.value.value() * 1.25;
    if (wall < 0.97 * expected || wall > 1.03 * expected + network)
      fault("{} W at the wall, by hand {}", wall, expected);
    for (const char* phase : {"wall_idle_w", "wall_decode_w", "wall_prefill_w"}) {
      if (metric(phase) > wall * 1.001) fault("{} of {} exceeds the peak of {}", phase, metric(phase), wall);
    }
  }

  void check_network() {
    if (boxes_ == 1) {
      if (switch_ != nullptr || cable_ != nullptr || (nic_ != nullptr && !scenario_.size.have))
        fault("a network for one box");
      return;
    }
    const Nic* nic = nic_ != nullptr ? nic_ : find(library_.nics, host_->nic);
    if (nic_ != nullptr && nics_ != boxes_) fault("{} NICs in {} boxes", nics_, boxes_);
    if (cable_ == nullptr || cable_->port != nic->port) return fault("no cable with {}", nic->port);
    if (switch_ == nullptr && (boxes_ != 2 || cables_ != 1)) fault("{} cables for {} boxes", cables_, boxes_);
    if (switch_ == nullptr) return;
    int ports = 0;
    for (const SwitchPorts& group : switch_->ports.value)
      ports += group.port == nic->port && group.rate >= nic->line_rate.value ? group.count : 0;
    if (ports < boxes_ || cables_ != boxes_) fault("{} ports and {} cables for {} boxes", ports, cables_, boxes_);
  }

  // RAM of the board's kind, in its slots; a disk for the file.
  void check_storage() {
    if (scenario_.size.have) return;
    double ram = value_or(host_->ram_included, Bytes(0)) / kGiB;
    if (ram_ != nullptr) {
      if (ram_->ram_kind != host_->ram_kind.value) fault("{} in a board for {}", ram_->ram_kind, host_->ram_kind.value);
      if (ram_kits_ % boxes_ != 0) fault("{} RAM kits in {} boxes", ram_kits_, boxes_);
      const int kits = ram_kits_ / boxes_;
      if (value_or(ram_->ram_modules, 2.0) * kits > host_->ram_slots.value) fault("{} kits exceed the RAM slots", kits);
      ram = ram_->capacity.value / kGiB * kits;
      if (ram * kGiB.value() > host_->ram_max.value.value()) fault("more RAM than the board takes");
    }
    if (ram < 16) fault("{} GiB of RAM", ram);
    if (soc_ != nullptr) return;
    if (disk_ == nullptr || disks_ != boxes_) return fault("{} disks in {} boxes", disks_, boxes_);
    if (disk_->capacity.value.value() < metric("weights_gib") * kGiB.value())
      fault("the model is larger than the disk");
  }

  void check_promises() {
    const double rate = metric("decode_tokens_per_s");
    if (rate < scenario_.size.tokens_per_s_min) fault("{} tokens/s", rate);
    if (metric("ttft_s") > scenario_.size.first_token_max.value()) fault("{} s to the first token", metric("ttft_s"));
    const double together = rate * scenario_.workload.users;
    if (std::abs(metric("decode_total_tokens_per_s") - together) > 1e-6 * together) fault("totals differ");
    if (metric("context_max_tokens") < scenario_.workload.context.value())
      fault("{} tokens of context", metric("context_max_tokens"));
    if (metric("users_max") < scenario_.workload.users) fault("{} users", metric("users_max"));
    const std::vector<std::string>& asked = scenario_.size.mixtures;
    if (!asked.empty() && std::find(asked.begin(), asked.end(), build_.mixture) == asked.end())
      fault("nobody asked for {}", build_.mixture);
    const std::vector<std::string>& only = scenario_.size.devices;
    const std::vector<std::string> owned =
        scenario_.size.have ? scenario_.size.have->devices : std::vector<std::string>{};
    const auto holds = [](const std::vector<std::string>& list, const std::string& id) {
      return std::find(list.begin(), list.end(), id) != list.end();
    };
    for (const Device* card : cards_) {
      if (!only.empty() && !holds(owned, card->id) && !holds(only, card->id)) fault("nobody asked for {}", card->id);
    }
    for (const Verdict& verdict : build_.verdicts) {
      if (verdict.answer == Answer::no) fault("verdict {}: {}", verdict.name, verdict.words);
    }
    for (const Metric& m : build_.metrics) {
      if (!(m.low <= m.value && m.value <= m.high))
        fault("{} of {} outside of {} to {}", m.name, m.value, m.low, m.high);
    }
  }

  const BuildRow& build_;
  const Scenario& scenario_;
  const ProfileLibrary& library_;
  std::string faults_;
  const Host* host_ = nullptr;
  const Device* soc_ = nullptr;
  std::vector<const Device*> cards_;
  const Psu* psu_ = nullptr;
  const Storage* ram_ = nullptr;
  const Storage* disk_ = nullptr;
  const Nic* nic_ = nullptr;
  const Switch* switch_ = nullptr;
  const Cable* cable_ = nullptr;
  int boxes_ = 0, psus_ = 0, ram_kits_ = 0, disks_ = 0, nics_ = 0, cables_ = 0;
};

struct Merits {
  double price, speed, watts, bits;
};

Merits merits(const BuildRow& build) {
  return {value_of(build.metrics, "price"), find_metric(build.metrics, "decode_tokens_per_s")->low,
          value_of(build.metrics, "wall_decode_w"), find_mixture(build.mixture)->nominal_bits};
}

bool beats(const Merits& a, const Merits& b) {
  const bool no_worse = a.price <= b.price && a.speed >= b.speed && a.watts <= b.watts && a.bits >= b.bits;
  return no_worse && (a.price < b.price - 0.01 || a.speed > b.speed * (1 + kSlack) ||
                      a.watts < b.watts * (1 - kSlack) || a.bits > b.bits);
}

}  // namespace

std::string build_faults(const BuildRow& build, const Scenario& scenario) { return Checker(build, scenario).check(); }

std::string answer_faults(const Report& report, const Scenario& scenario) {
  std::string faults;
  for (const BuildRow& build : report.builds) faults += build_faults(build, scenario);
  for (const BuildRow& build : report.builds) {
    for (const BuildRow& other : report.builds) {
      if (beats(merits(other), merits(build))) faults += build.name + " is beaten by " + other.name + "\n";
    }
  }
  return faults;
}

}  // namespace oblea::test
