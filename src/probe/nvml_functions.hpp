// The few functions of NVIDIA's management library that we ask, with their documented signatures and structures (NVML
// API Reference, release 12). Declared here, so that neither the toolkit nor a driver is needed to build.
#pragma once

#include <string>

namespace oblea::nvml {

using Return = int;  // nvmlReturn_t
inline constexpr Return kSuccess = 0;
inline constexpr Return kNotSupported = 3;
inline constexpr Return kDriverNotLoaded = 9;
inline constexpr Return kVersionMismatch = 18;  // of the library and the kernel module

using Device = struct Opaque*;  // nvmlDevice_t

struct Memory {  // nvmlMemory_t, bytes
  unsigned long long total, free, used;
};

struct PciInfo {  // nvmlPciInfo_t, third version
  char bus_id_legacy[16];
  unsigned int domain, bus, device;
  unsigned int pci_device_id;  // device in the high half, vendor in the low one
  unsigned int pci_subsystem_id;
  char bus_id[32];  // "00000000:0A:00.0"
};

inline constexpr unsigned kNameBytes = 96;
inline constexpr unsigned kDriverBytes = 80;
inline constexpr unsigned kMaxNvlinks = 18;
inline constexpr int kPeerRead = 0;    // NVML_P2P_CAPS_INDEX_READ
inline constexpr int kPeerNvlink = 2;  // NVML_P2P_CAPS_INDEX_NVLINK

struct Functions {
  Return (*init)() = nullptr;
  Return (*shutdown)() = nullptr;
  const char* (*error_string)(Return) = nullptr;
  Return (*driver_version)(char*, unsigned) = nullptr;
  Return (*count)(unsigned*) = nullptr;
  Return (*handle)(unsigned, Device*) = nullptr;
  Return (*name)(Device, char*, unsigned) = nullptr;
  Return (*memory)(Device, Memory*) = nullptr;
  Return (*pci)(Device, PciInfo*) = nullptr;
  Return (*generation_now)(Device, unsigned*) = nullptr;
  Return (*generation_max)(Device, unsigned*) = nullptr;
  Return (*lanes_now)(Device, unsigned*) = nullptr;
  Return (*lanes_max)(Device, unsigned*) = nullptr;
  Return (*power_limit)(Device, unsigned*) = nullptr;          // mW
  Return (*power_limit_default)(Device, unsigned*) = nullptr;  // mW
  Return (*mig_mode)(Device, unsigned*, unsigned*) = nullptr;  // now, after the next reset
  Return (*nvlink_state)(Device, unsigned, int*) = nullptr;
  Return (*peer_status)(Device, Device, int, int*) = nullptr;
};

// The library with its functions; one that it lacks stays null.
class Library {
 public:
  explicit Library(const std::string& path);
  ~Library();
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  bool is_open() const { return handle_ != nullptr; }
  const std::string& why_not() const { return why_not_; }
  const Functions& functions() const { return functions_; }

 private:
  void* handle_ = nullptr;
  std::string why_not_;
  Functions functions_;
};

}  // namespace oblea::nvml
