#include "study/match_part.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "study/part_name.hpp"
#include "units/print.hpp"

namespace oblea {
namespace {

// Network chips whose profile is known by name; the words must all be in the chip's name.
struct KnownChip {
  const char* words;
  const char* id;
};

constexpr KnownChip kChips[] = {
    {"connectx 3", "nic-connectx-3"},
    {"connectx 4 lx", "nic-connectx-4-lx"},
    {"connectx 5", "nic-connectx-5"},
    {"connectx 7", "nic-connectx-7"},
    {"x520", "nic-x520"},
    {"x710", "nic-x710"},
    {"e810", "nic-e810"},
    {"x540", "nic-10gbase-t"},
    {"x550", "nic-10gbase-t"},
    {"aqc107", "nic-10gbase-t"},
    {"aqc113cs", "nic-10gbase-t"},
    {"i225", "nic-2.5gbe"},
    {"i226", "nic-2.5gbe"},
    {"rtl8125", "nic-2.5gbe"},
};

std::string chip_profile(const std::string& name) {
  const std::set<std::string> words = words_of(name);
  for (const KnownChip& chip : kChips) {
    const std::set<std::string> wanted = words_of(chip.words);
    if (std::includes(words.begin(), words.end(), wanted.begin(), wanted.end())) return chip.id;
  }
  return "";
}

// The slowest plug of this kind that carries the speed; ordinary sockets before fibre cages, since a speed of up to
// 10 Gb/s says nothing of the plug.
std::string profile_by_speed(const FoundNic& nic) {
  if (nic.kind == NicKind::thunderbolt) return nic.gigabits > 40 ? "nic-tb5" : "nic-usb4";
  if (nic.kind == NicKind::infiniband) return nic.gigabits > 100 ? "nic-infiniband-hdr" : "nic-infiniband-edr";
  const double speed = nic.gigabits;
  if (speed <= 0) return "";
  if (speed <= 1) return "nic-1gbe";
  if (speed <= 2.5) return "nic-2.5gbe";
  if (speed <= 5) return "nic-5gbe";
  if (speed <= 10) return "nic-10gbase-t";
  if (speed <= 25) return "nic-connectx-4-lx";
  if (speed <= 100) return "nic-connectx-5";
  return "nic-connectx-7";
}

}  // namespace

PartMatch match_cpu(const FoundCpu& cpu, const ProfileLibrary& library) {
  PartMatch match;
  match.found = cpu.name.empty() ? "a processor without a name" : cpu.name;
  const PartName name = read_part_name(cpu.name);
  const Device* likest = nullptr;
  double best = 0;
  for (const auto& [id, device] : library.devices) {
    if (device.kind != DeviceKind::cpu && device.kind != DeviceKind::soc) continue;
    const PartName profile = read_part_name(device.name);
    const double like = likeness(name, profile);
    if (like >= 1 && profile.count == std::max(1, cpu.sockets)) {
      match.kind = MatchKind::exact;
      match.id = id;
      return match;
    }
    if (like > best && share_model_number(name, profile)) {
      best = like;
      likest = &device;
    }
  }
  match.words = likest == nullptr ? "no profile" : fmt::format("no profile; likest: {}", likest->id);
  return match;
}

PartMatch match_nic(const FoundNic& nic, const ProfileLibrary& library) {
  PartMatch match;
  const std::string& chip_name = nic.name.empty() ? nic.driver : nic.name;
  match.found = chip_name.empty() ? nic.interface : fmt::format("{} ({})", nic.interface, chip_name);
  const std::string chip = nic.kind == NicKind::ethernet ? chip_profile(nic.name) : "";
  const std::string id = chip.empty() ? profile_by_speed(nic) : chip;
  const Nic* profile = find(library.nics, id);
  if (profile == nullptr) {
    match.words = nic.up ? "its speed was not seen" : "no cable, and a chip that no profile names";
    return match;
  }
  match.kind = chip.empty() && nic.kind == NicKind::ethernet ? MatchKind::nearest : MatchKind::exact;
  match.id = id;
  if (match.kind == MatchKind::nearest) match.words = "by its speed alone";
  const double rate = profile->line_rate.value.value() * 8 / 1e9;
  if (nic.gigabits > 0 && nic.gigabits < rate * 0.99 && !chip.empty())
    match.words =
        fmt::format("joined at {:g} Gb/s, can do {:g}: the cable or the other end holds it back", nic.gigabits, rate);
  return match;
}

PartMatch match_disk(const FoundDisk& disk, const ProfileLibrary& library) {
  PartMatch match;
  match.found = disk.model.empty() ? disk.name : disk.model;
  if (disk.bus == DiskBus::virtual_disk || disk.bus == DiskBus::memory_card) {
    match.words =
        disk.bus == DiskBus::virtual_disk ? "a virtual disk: what is behind it was not seen" : "a memory card";
    return match;
  }
  const StorageKind kind = disk.bus == DiskBus::nvme ? StorageKind::nvme
                           : disk.rotates            ? StorageKind::hdd
                                                     : StorageKind::sata_ssd;
  const int generation = disk.link.generation_max;
  double best = 0;
  for (const auto& [id, storage] : library.storage) {
    if (storage.kind != kind) continue;
    if (kind == StorageKind::nvme && generation > 0 &&
        id.find(fmt::format("gen{}", std::clamp(generation, 3, 5))) == std::string::npos)
      continue;
    const double gap = std::abs(std::log2(disk.size / storage.capacity.value));
    if (!match.id.empty() && gap >= best) continue;
    best = gap;
    match.id = id;
  }
  if (match.id.empty()) {
    match.words = "no profile of its kind";
    return match;
  }
  match.kind = MatchKind::nearest;
  match.words = "by its class, not by its model";
  return match;
}

}  // namespace oblea
