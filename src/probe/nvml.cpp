#include "probe/nvml.hpp"

#include <algorithm>
#include <optional>

#include <fmt/core.h>

#include "base/lower_case.hpp"
#include "base/printable.hpp"
#include "probe/nvml_functions.hpp"

namespace oblea {
namespace {

constexpr unsigned kMaxGpus = 64;  // in one box

// A fixed field of the library's, which need not end in a zero.
template <std::size_t N>
std::string text_of(const char (&field)[N]) {
  return printable(std::string(field, std::find(field, field + N, '\0')));
}

std::optional<unsigned> ask(nvml::Return (*function)(nvml::Device, unsigned*), nvml::Device device) {
  unsigned value = 0;
  if (function == nullptr || function(device, &value) != nvml::kSuccess) return std::nullopt;
  return value;
}

std::optional<Watts> ask_watts(nvml::Return (*function)(nvml::Device, unsigned*), nvml::Device device) {
  const std::optional<unsigned> milliwatts = ask(function, device);
  if (!milliwatts || *milliwatts == 0) return std::nullopt;
  return Watts(*milliwatts / 1000.0);
}

// "00000000:0A:00.0" as /sys writes it: "0000:0a:00.0".
std::string address_in_sys(std::string bus_id) {
  bus_id = lower_case(std::move(bus_id));
  const std::size_t colon = bus_id.find(':');
  return colon == 8 && bus_id.starts_with("0000") ? bus_id.substr(4) : bus_id;
}

std::string error_words(const nvml::Functions& functions, nvml::Return code) {
  const char* words = functions.error_string == nullptr ? nullptr : functions.error_string(code);
  std::string text = words == nullptr ? fmt::format("error {}", code) : printable(words);
  if (code == nvml::kVersionMismatch) text += "; restart the machine, or load the kernel module that fits the library";
  if (code == nvml::kDriverNotLoaded) text += "; the kernel module nvidia is not loaded";
  return text;
}

FoundGpu read_gpu(const nvml::Functions& functions, nvml::Device device) {
  FoundGpu gpu;
  gpu.vendor = "nvidia";
  gpu.named_by = "NVML";
  char name[nvml::kNameBytes] = {};
  if (functions.name != nullptr && functions.name(device, name, nvml::kNameBytes) == nvml::kSuccess)
    gpu.name = text_of(name);
  nvml::Memory memory{};
  if (functions.memory != nullptr && functions.memory(device, &memory) == nvml::kSuccess && memory.total > 0)
    gpu.memory = Bytes(static_cast<double>(memory.total));
  nvml::PciInfo pci{};
  if (functions.pci != nullptr && functions.pci(device, &pci) == nvml::kSuccess) {
    gpu.pci_address = address_in_sys(text_of(pci.bus_id));
    gpu.pci_id = fmt::format("{:04x}:{:04x}", pci.pci_device_id & 0xffff, pci.pci_device_id >> 16);
  }
  const auto number = [&](auto function) { return static_cast<int>(ask(function, device).value_or(0)); };
  gpu.link = {number(functions.generation_now), number(functions.generation_max), number(functions.lanes_now),
              number(functions.lanes_max)};
  gpu.power_limit = ask_watts(functions.power_limit, device);
  gpu.power_limit_default = ask_watts(functions.power_limit_default, device);
  unsigned mig = 0, mig_pending = 0;
  gpu.mig =
      functions.mig_mode != nullptr && functions.mig_mode(device, &mig, &mig_pending) == nvml::kSuccess && mig == 1;
  for (unsigned link = 0; functions.nvlink_state != nullptr && link < nvml::kMaxNvlinks; ++link) {
    int active = 0;
    if (functions.nvlink_state(device, link, &active) == nvml::kSuccess && active == 1) ++gpu.nvlinks;
  }
  return gpu;
}

bool reaches(const nvml::Functions& functions, nvml::Device from, nvml::Device to, int how) {
  int status = -1;
  return functions.peer_status != nullptr && functions.peer_status(from, to, how, &status) == nvml::kSuccess &&
         status == 0;
}

void read_gpus(const nvml::Functions& functions, NvmlAnswer& answer) {
  unsigned count = 0;
  if (functions.count(&count) != nvml::kSuccess) return;
  std::vector<nvml::Device> devices;
  for (unsigned i = 0; i < std::min(count, kMaxGpus); ++i) {
    nvml::Device device = nullptr;
    const nvml::Return code = functions.handle(i, &device);
    if (code != nvml::kSuccess) {
      answer.unseen.push_back({fmt::format("NVIDIA GPU {}", i), error_words(functions, code)});
      continue;
    }
    devices.push_back(device);
    answer.gpus.push_back(read_gpu(functions, device));
  }
  for (std::size_t a = 0; a < devices.size(); ++a) {
    for (std::size_t b = 0; b < devices.size(); ++b) {
      if (a == b) continue;
      if (reaches(functions, devices[a], devices[b], nvml::kPeerNvlink))
        answer.gpus[a].nvlink_peers.push_back(static_cast<int>(b));
      else if (reaches(functions, devices[a], devices[b], nvml::kPeerRead))
        answer.gpus[a].pcie_peers.push_back(static_cast<int>(b));
    }
  }
}

}  // namespace

NvmlAnswer ask_nvml(const std::vector<std::string>& libraries) {
  NvmlAnswer answer;
  answer.why_not = "no library to ask";
  for (const std::string& path : libraries) {
    const nvml::Library library(path);
    if (!library.is_open()) {
      answer.why_not = library.why_not();
      continue;
    }
    answer.nvml_found = true;
    const nvml::Functions& functions = library.functions();
    if (functions.init == nullptr || functions.count == nullptr || functions.handle == nullptr) {
      answer.why_not = path + " is no NVML of release 5 or later";
      return answer;
    }
    const nvml::Return code = functions.init();
    if (code != nvml::kSuccess) {
      answer.why_not = error_words(functions, code);
      return answer;
    }
    answer.why_not.clear();
    char version[nvml::kDriverBytes] = {};
    if (functions.driver_version != nullptr && functions.driver_version(version, nvml::kDriverBytes) == nvml::kSuccess)
      answer.driver = text_of(version);
    read_gpus(functions, answer);
    if (functions.shutdown != nullptr) functions.shutdown();
    return answer;
  }
  return answer;
}

}  // namespace oblea
