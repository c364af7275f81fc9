#include <algorithm>
#include <vector>

#include <fmt/core.h>

#include "study/match_part.hpp"
#include "study/part_name.hpp"
#include "units/print.hpp"

namespace oblea {
namespace {

struct Candidate {
  const Device* device = nullptr;
  PartName name;
  double likeness = 0;
};

std::vector<Candidate> candidates_for(const FoundGpu& gpu, const PartName& name, const ProfileLibrary& library) {
  std::vector<Candidate> candidates;
  for (const auto& [id, device] : library.devices) {
    if (device.kind != DeviceKind::gpu || (!gpu.vendor.empty() && device.vendor != gpu.vendor)) continue;
    const PartName profile = read_part_name(device.name);
    candidates.push_back({&device, profile, likeness(name, profile)});
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.likeness > b.likeness; });
  return candidates;
}

// What the driver says, else what the name says.
std::optional<Bytes> memory_of(const FoundGpu& gpu, const PartName& name) {
  return gpu.memory ? gpu.memory : name.memory;
}

bool same_memory(const std::optional<Bytes>& seen, const Device& device) {
  if (!seen) return true;
  const double share = *seen / device.memory.value;
  return share >= kLeastMemorySeen && share <= kMostMemorySeen;
}

bool may_stand_in(const PartName& name, const std::optional<Bytes>& memory, const Candidate& candidate) {
  const bool same_class = name.words.contains("laptop") == candidate.name.words.contains("laptop");
  const bool no_more_memory = !memory || candidate.device->memory.value * kLeastMemorySeen <= *memory;
  return same_class && no_more_memory && share_model_number(name, candidate.name);
}

std::string difference(const FoundGpu& gpu, const std::optional<Bytes>& memory, const Candidate& candidate) {
  const Device& device = *candidate.device;
  std::string words = fmt::format("stand-in: {} is another card", device.name);
  if (candidate.likeness >= 1) words = fmt::format("stand-in: the same name, another memory");
  if (memory && !same_memory(memory, device))
    words += fmt::format("; {} here, {} in the profile", print_gib(*memory), print_gib(device.memory.value));
  if (!gpu.memory) words += "; its memory was not seen";
  return words;
}

}  // namespace

PartMatch match_gpu(const FoundGpu& gpu, const ProfileLibrary& library) {
  PartMatch match;
  match.found = gpu.name.empty() ? fmt::format("GPU {}", gpu.pci_id) : gpu.name;
  if (gpu.name.empty()) {
    match.words = fmt::format("no table knows the PCI id {}: load its driver, or name it yourself", gpu.pci_id);
    return match;
  }
  const PartName name = read_part_name(gpu.name);
  const std::optional<Bytes> memory = memory_of(gpu, name);
  const std::vector<Candidate> candidates = candidates_for(gpu, name, library);
  std::vector<const Candidate*> equal, stand_ins;
  for (const Candidate& candidate : candidates) {
    if (candidate.likeness >= 1 && same_memory(memory, *candidate.device)) equal.push_back(&candidate);
    if (may_stand_in(name, memory, candidate)) stand_ins.push_back(&candidate);
  }
  if (equal.size() == 1) {
    match.kind = MatchKind::exact;
    match.id = equal.front()->device->id;
    if (!memory) match.words = "by its name; its memory was not seen";
    return match;
  }
  if (!stand_ins.empty() && stand_ins.front()->likeness >= 0.3) {
    match.kind = MatchKind::nearest;
    // Of several that are as like, the one with least memory: what is said to fit then does.
    const auto smaller = [&](const Candidate* a, const Candidate* b) {
      if (a->likeness != b->likeness) return a->likeness > b->likeness;
      return a->device->memory.value < b->device->memory.value;
    };
    const Candidate& chosen = **std::min_element(stand_ins.begin(), stand_ins.end(), smaller);
    match.id = match.likest = chosen.device->id;
    match.words = difference(gpu, memory, chosen);
    return match;
  }
  match.words = "no profile";
  if (!candidates.empty() && candidates.front().likeness > 0) {
    const Device& like = *candidates.front().device;
    match.likest = like.id;
    match.words = fmt::format("no profile; likest: {} ({})", like.id, print_gib(like.memory.value));
  }
  return match;
}

}  // namespace oblea
