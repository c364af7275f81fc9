#include "study/match_host.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "study/compatibility.hpp"
#include "study/cpu_architecture.hpp"
#include "study/part_name.hpp"
#include "units/print.hpp"

namespace oblea {
namespace {

// Words of a board's or product's name that say which slots it has.
const std::set<std::string> kBoardWords = {"b550",  "x570", "b650", "x670e",  "b760",
                                           "trx50", "x299", "x99",  "romed8", "h13ssl"};

bool contains(const std::set<std::string>& all, const std::set<std::string>& part) {
  return !part.empty() && std::includes(all.begin(), all.end(), part.begin(), part.end());
}

std::set<std::string> firmware_words(const FoundSystem& system) {
  return words_of(system.vendor + " " + system.product + " " + system.board + " " + system.device_tree_model);
}

// "Raspberry Pi 5, 8 GB, one outer PCIe lane": what stands before the comma is the product.
std::set<std::string> product_words(const Host& host) {
  return read_part_name(std::string_view(host.name).substr(0, host.name.find(','))).words;
}

Bytes memory_seen(const FoundMachine& found) {
  const Bytes seen = std::max(found.memory.total, found.memory.installed);
  // What a box with one memory gave to its graphics does not show as RAM.
  Bytes carved{};
  for (const FoundGpu& gpu : found.gpus) {
    if (gpu.vendor == "amd" && gpu.memory) carved += *gpu.memory;
  }
  return seen + carved;
}

// A host that is its accelerator, found by the names of processor and graphics.
bool is_own_accelerator(const Host& host, const FoundMachine& found, const ProfileLibrary& library) {
  const Device* soc = host.soc ? find(library.devices, host.soc->value) : nullptr;
  if (soc == nullptr || soc->kind != DeviceKind::soc) return false;
  const PartName name = read_part_name(soc->name);
  if (likeness(read_part_name(found.cpu.name), name) >= 1) return true;
  if (contains(words_of(found.system.device_tree_model), name.words)) return true;
  return std::any_of(found.gpus.begin(), found.gpus.end(),
                     [&](const FoundGpu& gpu) { return likeness(read_part_name(gpu.name), name) >= 1; });
}

std::optional<PartMatch> match_product(const FoundMachine& found, const ProfileLibrary& library) {
  const std::set<std::string> firmware = firmware_words(found.system);
  PartMatch match;
  double best = -1;
  for (const auto& [id, host] : library.hosts) {
    const std::set<std::string> product = product_words(host);
    const bool named = product.size() >= 2 && contains(firmware, product);
    const bool own = is_own_accelerator(host, found, library);
    const double score = (named ? 2 : 0) + (own ? 1 : 0);
    if (score < 1 || (host.soc && !own) || score <= best) continue;
    best = score;
    match.id = id;
    match.kind = named ? MatchKind::exact : MatchKind::nearest;
    match.words = named ? "" : "the same chip in another box";
    if (!host.soc) continue;
    const Bytes capacity = find(library.devices, host.soc->value)->memory.value;
    const double share = memory_seen(found) / capacity;
    // Firmware and graphics keep up to a tenth: a Spark with 128 GiB shows 121.7 (nvitop, pull request 208, 2026-08).
    if (share < 0.9) {
      match.kind = MatchKind::none;
      match.id.clear();
      match.likest = id;
      match.words =
          fmt::format("likest: {} with {}; this box has {}", id, print_gib(capacity), print_gib(memory_seen(found)));
    } else if (share > kMostMemorySeen) {
      match.kind = MatchKind::nearest;
      match.words = fmt::format("{} here, {} in the profile", print_gib(memory_seen(found)), print_gib(capacity));
    }
  }
  if (best < 1) return std::nullopt;
  return match;
}

// "ryzen", "epyc", "threadripper", "xeon", "i5": the class of a processor.
std::string cpu_class(const std::set<std::string>& words) {
  for (const char* word : {"threadripper", "epyc", "ryzen", "xeon", "celeron"}) {
    if (words.contains(word)) return word;
  }
  for (const char* word : {"i3", "i5", "i7", "i9"}) {
    if (words.contains(word)) return "core";
  }
  return "";
}

// "B650M" is a small board with a B650, "X570I" a smaller one.
bool names_board(const std::set<std::string>& firmware, const std::string& word) {
  return firmware.contains(word) || firmware.contains(word + "m") || firmware.contains(word + "i");
}

bool board_agrees(const Host& host, const FoundSystem& system) {
  const std::set<std::string> firmware = firmware_words(system), named = words_of(host.name);
  return std::any_of(kBoardWords.begin(), kBoardWords.end(),
                     [&](const std::string& word) { return named.contains(word) && names_board(firmware, word); });
}

// How like a host is to the box. The processor decides, then that the cards go in, then class and architecture, the
// board's chip set, sockets, and the number of cores.
double score_host(const Host& host, const Device& cpu, const FoundMachine& found, const PartMatch& cpu_match,
                  const std::vector<const Device*>& cards) {
  if (!found.cpu.vendor.empty() && cpu.vendor != found.cpu.vendor) return -1;
  const PartName name = read_part_name(found.cpu.name), profile = read_part_name(cpu.name);
  const std::string architecture = cpu_architecture(found.cpu);
  const bool same_architecture = !architecture.empty() && architecture == cpu.architecture;
  const bool same_class = !cpu_class(name.words).empty() && cpu_class(name.words) == cpu_class(profile.words);
  if (!same_architecture && !same_class) return -1;
  double score = 0;
  if (cpu_match.kind == MatchKind::exact && cpu_match.id == cpu.id) score += 100;
  std::vector<PcieSlot> links;
  if (seat_cards(host, cards, nullptr, links).empty()) score += 150;
  if (same_class) score += 40;
  if (same_architecture) score += 30;
  if (profile.count == std::max(1, found.cpu.sockets)) score += 20;
  if (board_agrees(host, found.system)) score += 25;
  if (!found.memory.kind.empty() && host.ram_kind.value.starts_with(found.memory.kind)) score += 15;
  if (found.cpu.cores > 0) score -= 8 * std::abs(std::log2(found.cpu.cores / value_or(cpu.cores, 8.0)));
  for (std::size_t i = 0; i < links.size() && i < found.gpus.size(); ++i) {
    const int lanes = found.gpus[i].link.lanes_now;
    if (lanes > 0 && lanes != links[i].lanes) score -= 2;
  }
  return score;
}

std::string host_difference(const Host& host, const Device& cpu, const FoundMachine& found, bool same_cpu,
                            const std::vector<const Device*>& cards) {
  std::string words =
      same_cpu ? "the same processor; the board was not recognised" : fmt::format("stand-in with {}", cpu.name);
  if (!same_cpu && found.cpu.cores > 0)
    words += fmt::format("; {} cores here, {:g} there", found.cpu.cores, value_or(cpu.cores, 0.0));
  if (!same_cpu) words += fmt::format("; layers in RAM run at its {}", print_bandwidth(cpu.memory_bandwidth.value));
  std::vector<PcieSlot> links;
  const std::string why_not = seat_cards(host, cards, nullptr, links);
  if (!why_not.empty()) words += fmt::format("; it does not take the cards ({}): write a host profile", why_not);
  return words;
}

}  // namespace

PartMatch match_host(const FoundMachine& found, const std::vector<const Device*>& cards,
                     const ProfileLibrary& library) {
  const FoundSystem& system = found.system;
  std::string name = system.vendor;
  const std::string& product = system.board.empty() ? system.product : system.board;
  if (!product.empty()) name += (name.empty() ? "" : " ") + product;
  if (name.empty()) name = system.device_tree_model.empty() ? "a board without a name" : system.device_tree_model;
  if (auto match = match_product(found, library)) {
    match->found = name;
    return *match;
  }
  const PartMatch cpu_match = match_cpu(found.cpu, library);
  PartMatch match;
  match.found = name;
  match.words = "no host profile is like it";
  double best = 0;
  for (const auto& [id, host] : library.hosts) {
    const Device* cpu = find(library.devices, host.cpu);
    if (host.soc || cpu == nullptr) continue;
    const double score = score_host(host, *cpu, found, cpu_match, cards);
    if (score <= best) continue;
    best = score;
    const bool same_cpu = cpu_match.kind == MatchKind::exact && cpu_match.id == cpu->id;
    std::vector<PcieSlot> links;
    const bool seated = seat_cards(host, cards, nullptr, links).empty();
    match.id = match.likest = id;
    match.kind = same_cpu && seated && board_agrees(host, system) ? MatchKind::exact : MatchKind::nearest;
    match.words = match.kind == MatchKind::exact ? "" : host_difference(host, *cpu, found, same_cpu, cards);
  }
  return match;
}

}  // namespace oblea
