#include "study/loading_rates.hpp"

#include <algorithm>

namespace oblea {
namespace {

constexpr double kMappedLow = 0.09;  // of the read rate
constexpr double kMappedHigh = 0.42;
constexpr double kMappedUnknown = 0.25;
constexpr double kUntuned = 0.47;  // of a tuned flow
constexpr BytesPerSecond kHardlyTuned{2.5e9 / 8};
constexpr BytesPerSecond kRamCopy{8e9};

BandedRate around(BytesPerSecond rate, double low, double high) { return {rate, rate * low, rate * high}; }

}  // namespace

BandedRate read_rate(const Storage& storage) {
  switch (storage.read.source.confidence) {
    case Confidence::measured:
      return around(storage.read.value, 0.9, 1.05);
    case Confidence::datasheet:
      return around(storage.read.value, 0.35, 1);
    case Confidence::review:
    case Confidence::estimate:
      break;
  }
  return around(storage.read.value, 0.5, 1.25);
}

BandedRate mapped_rate(const Storage& storage) {
  const BytesPerSecond read = storage.read.value;
  const BytesPerSecond mapped = value_or(storage.mapped, read * kMappedUnknown);
  return {mapped, std::min(mapped, read * kMappedLow), std::max(mapped, read * kMappedHigh)};
}

BandedRate ram_copy_rate(const Storage* kit) { return around(kit == nullptr ? kRamCopy : kit->read.value, 0.6, 1.6); }

BandedRate wire_rate(const Nic& nic, const Switch* network_switch) {
  BytesPerSecond goodput = nic.goodput.value;
  if (network_switch != nullptr) {
    BytesPerSecond fastest{};
    for (const SwitchPorts& ports : network_switch->ports.value) fastest = std::max(fastest, ports.rate);
    goodput = std::min(goodput, fastest * (nic.goodput.value / nic.line_rate.value));
  }
  return around(goodput, goodput > kHardlyTuned ? kUntuned : 1, 1);
}

BandedRate slot_rate(const PcieLink& link) { return around(link.goodput.value, 0.9, 1.05); }

BandedRate hash_rate() { return {BytesPerSecond(0.7e9), BytesPerSecond(0.4e9), BytesPerSecond(1e9)}; }

}  // namespace oblea
