// NVML: what NVIDIA's driver says of its GPUs, through its library, opened at run time and closed again.
#pragma once

#include <string>
#include <vector>

#include "hardware/found_machine.hpp"

namespace oblea {

struct NvmlAnswer {
  std::vector<FoundGpu> gpus;
  std::string driver;   // version
  std::string why_not;  // it did not answer: no such library, driver not loaded, versions that differ, ...
  bool nvml_found = false;
  std::vector<Unseen> unseen;  // single questions that it refused
};

// Opens the first of these libraries that there is. Names without a slash are looked for where the system keeps
// libraries.
NvmlAnswer ask_nvml(const std::vector<std::string>& libraries);

}  // namespace oblea
