#include "probe/find_machine.hpp"

#include "probe/find_cpu.hpp"
#include "probe/find_disks.hpp"
#include "probe/find_gpus.hpp"
#include "probe/find_memory.hpp"
#include "probe/find_nics.hpp"
#include "probe/find_system.hpp"

namespace oblea {
namespace {

std::vector<std::string> nvml_libraries(const MachineRoot& root, const std::string& wanted) {
  if (wanted.find('/') != std::string::npos) return {wanted};
  if (!root.is_here() || wanted.empty()) return {};
  return {wanted, "/usr/lib/wsl/lib/" + wanted};
}

}  // namespace

FoundMachine find_machine(const std::string& root_folder, const std::string& nvml_library) {
  const MachineRoot root(root_folder);
  FoundMachine found;
  find_system(root, found);
  find_cpu(root, found);
  find_memory(root, found);
  find_gpus(root, nvml_libraries(root, nvml_library), found);
  find_nics(root, found);
  find_disks(root, found);
  found.unseen.push_back({"power supply, case and cooling", "no computer knows its own: name the supply in \"psu\""});
  return found;
}

}  // namespace oblea
