#include "study/print_machine.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/printable.hpp"
#include "report/text_table.hpp"
#include "study/found_node.hpp"
#include "units/print.hpp"

namespace oblea {
namespace {

constexpr int kWidth = 118;

std::string join(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) {
    if (!part.empty()) text += (text.empty() ? "" : ", ") + part;
  }
  return text;
}

std::string power_words(const FoundGpu& gpu) {
  if (!gpu.power_limit) return "";
  const bool lowered = gpu.power_limit_default && *gpu.power_limit < *gpu.power_limit_default - Watts(0.5);
  return lowered ? fmt::format("limit {} of {}", print_watts(*gpu.power_limit), print_watts(*gpu.power_limit_default))
                 : fmt::format("limit {}", print_watts(*gpu.power_limit));
}

std::string gpu_words(const FoundGpu& gpu) {
  std::string peers;
  if (!gpu.nvlink_peers.empty())
    peers = fmt::format("NVLink to {} other{}", gpu.nvlink_peers.size(), gpu.nvlink_peers.size() > 1 ? "s" : "");
  else if (gpu.nvlinks > 0)
    peers = fmt::format("{} NVLinks", gpu.nvlinks);
  else if (!gpu.pcie_peers.empty())
    peers = "peer to peer";
  return join(
      {gpu.memory ? print_gib(*gpu.memory) : "", print_link(gpu.link), power_words(gpu), peers, gpu.mig ? "MIG" : ""});
}

std::string memory_words(const FoundMemory& memory) {
  std::string kind = memory.kind;
  std::transform(kind.begin(), kind.end(), kind.begin(),
                 [](char c) { return c >= 'a' ? static_cast<char>(c - 32) : c; });
  if (memory.transfers > 0) kind += fmt::format("{}{:.0f} MT/s", kind.empty() ? "" : " ", memory.transfers);
  return join({kind, memory.modules > 0 ? fmt::format("{} modules", memory.modules) : "",
               memory.channels > 0 ? fmt::format("{} channels", memory.channels) : ""});
}

std::string nic_words(const FoundNic& nic) {
  const std::string speed = nic.gigabits > 0 ? fmt::format("{:g} Gb/s", nic.gigabits) : "";
  return join({nic.up ? speed : "no cable", nic.rdma ? "RDMA" : "",
               nic.bonded > 1 ? fmt::format("one of {} bonded", nic.bonded) : ""});
}

std::vector<std::string> row(const char* kind, const std::string& seen, const PartMatch& match) {
  return {kind, cut_text(match.found, 44), seen, match.id.empty() ? "-" : match.id,
          std::string(match_kind_name(match.kind))};
}

// Rows that are the same are one, with their number in front.
void add_gpus(TextTable& table, const FoundMachine& found, const MatchedMachine& matched) {
  std::vector<std::pair<std::vector<std::string>, int>> rows;
  for (std::size_t i = 0; i < found.gpus.size(); ++i) {
    std::vector<std::string> cells = row("gpu", gpu_words(found.gpus[i]), matched.gpus[i]);
    if (!rows.empty() && rows.back().first == cells)
      ++rows.back().second;
    else
      rows.emplace_back(std::move(cells), 1);
  }
  for (auto& [cells, count] : rows) {
    if (count > 1) cells[1] = fmt::format("{}x {}", count, cells[1]);
    table.add(cells);
  }
}

std::string header(const FoundMachine& found) {
  const FoundSystem& system = found.system;
  std::string text = system.host_name.empty() ? "this box" : system.host_name;
  const std::string os =
      join({system.os, system.kernel.empty() ? "" : "Linux " + system.kernel,
            found.nvidia_driver.empty() ? "" : "NVIDIA driver " + found.nvidia_driver, system.wsl ? "WSL" : "",
            system.container.empty() ? "" : "container: " + system.container,
            system.virtual_machine && !system.wsl ? "virtual machine" : ""});
  return wrap_text(text + (os.empty() ? "" : ": " + os), kWidth, 0);
}

std::string list(const char* title, const std::vector<std::string>& lines) {
  if (lines.empty()) return "";
  std::string text = fmt::format("\n{}\n", title);
  for (const std::string& line : lines) {
    std::string wrapped = wrap_text(line, kWidth, 4);
    if (wrapped.size() > 2) wrapped[2] = '-';
    text += wrapped;
  }
  return text;
}

std::vector<std::string> unseen_lines(const FoundMachine& found) {
  std::vector<std::string> lines;
  for (const Unseen& unseen : found.unseen) lines.push_back(unseen.what + ": " + unseen.why);
  return lines;
}

// Which file to start from for each part that has no profile of its own, and how to try it.
std::string missing_profiles(const MatchedMachine& matched) {
  std::vector<std::string> lines;
  const auto add = [&](const PartMatch& match, const char* folder) {
    if (match.kind == MatchKind::exact || match.likest.empty()) return;
    const std::string line =
        fmt::format("{}: start from hardware-profiles/{}/{}.json", match.found, folder, match.likest);
    if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
  };
  for (const PartMatch& match : matched.gpus) add(match, "devices");
  add(matched.host, "hosts");
  if (lines.empty()) return "";
  return list("To give a part a profile of its own", lines) +
         wrap_text(
             "Copy the file, change id and what differs, try it with 'oblea profiles check my-part.json', then give "
             "--profile my-part.json here, to size and to place.",
             kWidth, 4);
}

}  // namespace

std::string_view match_kind_name(MatchKind kind) {
  constexpr std::string_view names[] = {"exact", "nearest", "none"};
  return names[static_cast<int>(kind)];
}

std::string print_link(const FoundLink& link) {
  const PcieSlot working = working_link(link);
  if (working.lanes == 0 && working.generation == 0) return "";
  std::string text = working.generation == 0 ? fmt::format("x{}", working.lanes)
                     : working.lanes == 0    ? fmt::format("gen{}", working.generation)
                                             : fmt::format("gen{} x{}", working.generation, working.lanes);
  std::vector<std::string> remarks;
  if (link.generation_now > 0 && link.generation_now < working.generation)
    remarks.push_back(fmt::format("now gen{}", link.generation_now));
  if (link.lanes_max > working.lanes && working.lanes > 0) remarks.push_back(fmt::format("of x{}", link.lanes_max));
  return remarks.empty() ? text : fmt::format("{} ({})", text, join(remarks));
}

std::string print_machine(const FoundMachine& found, const MatchedMachine& matched) {
  TextTable table({"", "found", "", "profile", "match"});
  table.add(row("host", "", matched.host));
  const FoundCpu& cpu = found.cpu;
  const std::string sockets = cpu.sockets > 1 ? fmt::format("{} sockets, ", cpu.sockets) : "";
  const std::string cores = fmt::format("{}{} cores, {} threads", sockets, cpu.cores, cpu.threads);
  table.add(row("cpu", cpu.threads == 0 ? "" : cores, matched.cpu));
  add_gpus(table, found, matched);
  if (found.memory.total.value() > 0)
    table.add({"ram", fmt::format("{:.4g} GiB", found.memory.total / kGiB), memory_words(found.memory), "", ""});
  for (std::size_t i = 0; i < found.nics.size(); ++i) table.add(row("nic", nic_words(found.nics[i]), matched.nics[i]));
  for (std::size_t i = 0; i < found.disks.size(); ++i) {
    const FoundDisk& disk = found.disks[i];
    table.add(row("disk", join({print_gb(disk.size), print_link(disk.link), disk.rotates ? "rotates" : ""}),
                  matched.disks[i]));
  }
  std::string text = header(found) + "\n" + table.print(2);
  if (found.gpus.empty()) text += "\n  No GPU was found: the node computes on its processor.\n";
  return text + list("Assumed", matched.notes) + list("Not seen", unseen_lines(found)) + missing_profiles(matched);
}

}  // namespace oblea
