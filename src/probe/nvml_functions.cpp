#include "probe/nvml_functions.hpp"

#include <dlfcn.h>

#include "base/printable.hpp"

namespace oblea::nvml {

Library::Library(const std::string& path) : handle_(::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
  if (handle_ == nullptr) {
    const char* reason = ::dlerror();
    why_not_ = printable(reason == nullptr ? "cannot be opened" : reason);
    return;
  }
  const auto find = [this](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(handle_, name));
  };
  find(functions_.init, "nvmlInit_v2");
  find(functions_.shutdown, "nvmlShutdown");
  find(functions_.error_string, "nvmlErrorString");
  find(functions_.driver_version, "nvmlSystemGetDriverVersion");
  find(functions_.count, "nvmlDeviceGetCount_v2");
  find(functions_.handle, "nvmlDeviceGetHandleByIndex_v2");
  find(functions_.name, "nvmlDeviceGetName");
  find(functions_.memory, "nvmlDeviceGetMemoryInfo");
  find(functions_.pci, "nvmlDeviceGetPciInfo_v3");
  find(functions_.generation_now, "nvmlDeviceGetCurrPcieLinkGeneration");
  find(functions_.generation_max, "nvmlDeviceGetMaxPcieLinkGeneration");
  find(functions_.lanes_now, "nvmlDeviceGetCurrPcieLinkWidth");
  find(functions_.lanes_max, "nvmlDeviceGetMaxPcieLinkWidth");
  find(functions_.power_limit, "nvmlDeviceGetPowerManagementLimit");
  find(functions_.power_limit_default, "nvmlDeviceGetPowerManagementDefaultLimit");
  find(functions_.mig_mode, "nvmlDeviceGetMigMode");
  find(functions_.nvlink_state, "nvmlDeviceGetNvLinkState");
  find(functions_.peer_status, "nvmlDeviceGetP2PStatus");
}

Library::~Library() {
  if (handle_ != nullptr) ::dlclose(handle_);
}

}  // namespace oblea::nvml
