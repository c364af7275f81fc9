// Storage and RAM kits: where model files rest and what off-loaded layers live in.
#pragma once

#include <string>

#include "hardware/sourced.hpp"
#include "units/quantity.hpp"

namespace oblea {

enum class StorageKind { nvme, sata_ssd, hdd, nas, ram };

struct Storage {
  std::string id;
  std::string name;
  StorageKind kind = StorageKind::nvme;
  Sourced<Bytes> capacity;
  Sourced<BytesPerSecond> read;     // large reads, several at once; of a NAS what its disks and software give
  Optional<BytesPerSecond> mapped;  // one program that faults a mapped file in page by page
  std::string nic;                  // of a NAS; empty: as fast as any box's
  Optional<double> nic_ports;       // bonded; absent: 1
  Sourced<Watts> power;             // active
  std::string ram_kind;             // "ddr4", "ddr5" for RAM
  Optional<double> ram_modules;     // sticks in the kit
};

}  // namespace oblea
