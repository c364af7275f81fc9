#include "probe/find_gpus.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "probe/nvml.hpp"
#include "probe/pci.hpp"

namespace oblea {
namespace {

constexpr Bytes kIntegratedMax = kGiB * 2;  // carved out of RAM for a screen
const std::string kDevices = "/sys/bus/pci/devices/";

std::string vendor_of(const std::string& pci_id) {
  if (pci_id.starts_with("10de")) return "nvidia";
  if (pci_id.starts_with("1002")) return "amd";
  if (pci_id.starts_with("8086")) return "intel";
  return "";  // a server's console chip, a virtual screen
}

bool is_gpu(const PciFunction& function) {
  const int kind = function.class_code >> 8;
  return (kind == 0x0300 || kind == 0x0302 || kind == 0x0380 || kind == 0x1200) && !vendor_of(function.id).empty();
}

// The larger of what amdgpu and Intel's xe say; i915 says nothing.
std::optional<Bytes> memory_of(const MachineRoot& root, const std::string& folder) {
  for (const char* file : {"/mem_info_vram_total", "/tile0/physical_vram_size_bytes"}) {
    const std::optional<double> bytes = root.number(folder + file);
    if (bytes && *bytes > 0) return Bytes(*bytes);
  }
  return std::nullopt;
}

void narrow(int& least, int seen) {
  if (seen > 0 && (least == 0 || seen < least)) least = seen;
}

// The way as /sys shows it knows of the slot and of risers, which NVML does not always.
void narrow(FoundLink& link, const FoundLink& way) {
  narrow(link.generation_now, way.generation_now);
  narrow(link.generation_max, way.generation_max);
  narrow(link.lanes_now, way.lanes_now);
  narrow(link.lanes_max, way.lanes_max);
}

bool is_integrated(const PciFunction& function, const FoundGpu& gpu) {
  if (gpu.vendor == "intel") return function.address.ends_with("00:02.0");
  return gpu.vendor == "amd" && gpu.memory && *gpu.memory <= kIntegratedMax;
}

FoundGpu read_gpu(const MachineRoot& root, const PciFunction& function) {
  FoundGpu gpu;
  gpu.vendor = vendor_of(function.id);
  gpu.pci_address = function.address;
  gpu.pci_id = function.id;
  const std::string folder = kDevices + function.address;
  gpu.memory = memory_of(root, folder);
  const std::string by_driver =
      gpu.vendor == "nvidia"
          ? value_of_key(root.text("/proc/driver/nvidia/gpus/" + function.address + "/information").value_or(""),
                         "Model")
          : root.line(folder + "/product_name");
  gpu.name = by_driver.empty() ? name_pci(root, function) : by_driver;
  gpu.named_by = gpu.name.empty() ? "" : by_driver.empty() ? "pci id" : "driver";
  gpu.link = read_link(root, folder);
  return gpu;
}

// "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.183.01  ..." holds the version of the module in the kernel.
std::string kernel_module_version(const MachineRoot& root) {
  const std::string line = root.line("/proc/driver/nvidia/version");
  const std::size_t module = line.find("Module");
  if (module == std::string::npos) return "";
  const std::size_t start = line.find_first_of("0123456789", module);
  return start == std::string::npos ? "" : line.substr(start, line.find(' ', start) - start);
}

void explain_nvml(const MachineRoot& root, const NvmlAnswer& answer, int cards, FoundMachine& found) {
  if (answer.why_not.empty() || (cards == 0 && !answer.nvml_found)) return;
  const std::string module = kernel_module_version(root);
  found.nvidia_driver = module;
  std::string why = "NVML: " + answer.why_not;
  if (!module.empty()) why += fmt::format(" (kernel module {})", module);
  if (!answer.nvml_found) why = "no NVIDIA driver library (libnvidia-ml.so.1) answers; " + why;
  found.unseen.push_back({"memory, power limit and NVLink of NVIDIA cards", why});
}

}  // namespace

void find_gpus(const MachineRoot& root, const std::vector<std::string>& nvml_libraries, FoundMachine& found) {
  const NvmlAnswer answer = ask_nvml(nvml_libraries);
  found.gpus = answer.gpus;
  found.nvidia_driver = answer.driver;
  found.unseen.insert(found.unseen.end(), answer.unseen.begin(), answer.unseen.end());
  for (FoundGpu& gpu : found.gpus) narrow(gpu.link, read_link(root, kDevices + gpu.pci_address));
  int cards_without_nvml = 0;
  for (const PciFunction& function : list_pci(root)) {
    if (!is_gpu(function)) continue;
    const bool known = std::any_of(found.gpus.begin(), found.gpus.end(),
                                   [&](const FoundGpu& gpu) { return gpu.pci_address == function.address; });
    if (known) continue;
    FoundGpu gpu = read_gpu(root, function);
    if (is_integrated(function, gpu)) continue;
    if (gpu.vendor == "nvidia") ++cards_without_nvml;
    if (gpu.vendor != "nvidia" && !gpu.memory)
      found.unseen.push_back({"memory of the GPU at " + gpu.pci_address, "its driver does not tell, or is not loaded"});
    found.gpus.push_back(std::move(gpu));
  }
  explain_nvml(root, answer, cards_without_nvml, found);
}

}  // namespace oblea
