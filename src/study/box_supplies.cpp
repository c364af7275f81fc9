#include "study/box_supplies.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "base/check.hpp"
#include "units/print.hpp"

namespace oblea {
namespace {

constexpr double kWorthSaying = 0.01;  // probability of a trip

Watts host_watts(const Box& box) {
  const BoxDraw draw = box_draw(box, true);
  return draw.host + draw.nics + draw.storage;
}

// Each supply's part of the draw, by what its cards draw at most.
std::vector<SupplyPart> supply_parts(const Box& box) {
  std::vector<SupplyPart> parts;
  for (const MappedSupply& supply : box.supplies) parts.push_back({supply.psu, 0, false});
  parts[static_cast<std::size_t>(box.host_supply)].host = true;
  Watts all{};
  for (const Device* device : box.devices) all += sustained_watts(*device, box.control());
  for (std::size_t i = 0; i < box.devices.size() && all > Watts(0); ++i) {
    parts[static_cast<std::size_t>(box.device_supply[i])].device_share +=
        sustained_watts(*box.devices[i], box.control()) / all;
  }
  return parts;
}

std::string name_words(const Box& box, const SupplyAssessment& assessment) {
  if (box.supplies.empty()) {
    const std::string_view sharing = !box.supply_sharing                               ? ""
                                     : *box.supply_sharing == SupplySharing::redundant ? " (redundant)"
                                                                                       : " (load sharing)";
    return fmt::format("{}x {}{}: {} DC on {}", box.psu_count, box.psu->name, sharing,
                       print_watts(assessment.sustained), box.supply_sharing ? "all" : "the fullest");
  }
  const Psu& worst = *box.supplies[static_cast<std::size_t>(assessment.supply)].psu;
  return fmt::format("{} of {} supplies, {}: {} DC on it", assessment.supply + 1, box.supplies.size(), worst.name,
                     print_watts(assessment.sustained));
}

std::string_view limit_words(TripLimit limit) {
  switch (limit) {
    case TripLimit::none:
      break;
    case TripLimit::sustained:
      return "for seconds";
    case TripLimit::below_1ms:
      return "below 1 ms";
    case TripLimit::to_10ms:
      return "within 10 ms";
    case TripLimit::to_20ms:
      return "within 20 ms";
  }
  return "";
}

std::string cure_words(const SuppliedCards& supplied) {
  const TripCure cure = find_cure(supplied);
  const std::string cap = cure.cap ? fmt::format("a cap of {}", print_watts(*cure.cap)) : "";
  const std::string lock =
      cure.clock_lock ? fmt::format("a clock lock of {} MHz", print_count(cure.clock_lock->value() / 1e6)) : "";
  if (cure.cap && cure.clock_lock) return fmt::format("; {} or {} cures it", cap, lock);
  if (cure.clock_lock) return fmt::format("; {} cures it, no cap does", lock);
  return cure.cap ? fmt::format("; {} cures it", cap) : "; no cap and no clock lock cures it";
}

SupplyMap map_over(const Box& box, Watts host, std::span<const Device* const> cards) {
  OBLEA_CHECK(box.has_supply(), "a box with a described supply");
  if (box.supplies.empty()) {
    return spread_cards({box.psu, box.psu_count}, host, cards, box.control(), box.supply_sharing);
  }
  SupplyMap map{box.supplies, {}, box.host_supply, {}};
  for (std::size_t i = 0; i < box.devices.size(); ++i) {
    if (!is_box_device(*box.devices[i])) map.card_supply.push_back(box.device_supply[i]);
  }
  return map;
}

}  // namespace

BoxDraw box_draw(const Box& box, bool busy) {
  BoxDraw draw;
  draw.host = host_dc_watts(*box.host, busy);
  if (box.nic != nullptr && box.nic->id != box.host->nic) draw.nics = box.nic->power.value;
  if (box.disk != nullptr) draw.storage = box.disk->power.value;
  return draw;
}

Banded<Watts> box_wall_watts(const BoxDraw& draw, const Box& box, double volts) {
  if (!box.supplies.empty()) return wall_watts(draw, supply_parts(box), volts);
  if (box.psu != nullptr) return wall_watts(draw, {box.psu, box.psu_count}, volts);
  const Banded<Watts> dc = dc_watts(draw);
  return {own_supply_wall_watts(dc.value), own_supply_wall_watts(dc.low), own_supply_wall_watts(dc.high)};
}

SupplyMap supply_map_of(const Box& box) { return map_over(box, host_watts(box), cards_of(box)); }

SupplyAssessment assess_box_supplies(const Box& box, const SharedWork& work) {
  const std::vector<const Device*> cards = cards_of(box);
  const Watts host = host_watts(box);
  return assess_supplies(map_over(box, host, cards), host, cards, box.control(), work);
}

std::string supply_words(const Box& box, const SupplyAssessment& assessment, const SharedWork& work) {
  const TripAssessment& trip = assessment.trip;
  std::string text =
      fmt::format("{} ({:.0f} % of {}{}), peaks {} ({:.0f} %)", name_words(box, assessment), 100 * trip.load,
                  print_watts(assessment.rated), assessment.on_card_rail ? " of its rail" : "",
                  print_watts(assessment.rated * trip.peak_load), 100 * trip.peak_load);
  if (assessment.missing_8pin > 0) text += fmt::format("; {} PCIe 8-pin plugs too few", assessment.missing_8pin);
  if (trip.probability.value >= kWorthSaying) {
    text += fmt::format("; trips {}: {:.2f} ({:.2f} to {:.2f})", limit_words(trip.limit), trip.probability.value,
                        trip.probability.low, trip.probability.high);
  }
  const bool cured_by_less =
      assessment.verdict != SupplyVerdict::fine && assessment.verdict != SupplyVerdict::missing_connectors;
  if (!cured_by_less) return text;
  const std::vector<const Device*> cards = cards_of(box);
  return text + cure_words(cards_on(supply_map_of(box), assessment.supply, assessment.on_card_rail, host_watts(box),
                                    cards, box.control(), work));
}

}  // namespace oblea
