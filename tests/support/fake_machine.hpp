// A made-up machine: the files of /sys and /proc that `probe` reads, in a folder of its own, and what NVML shall
// answer.
#pragma once

#include <string>
#include <vector>

#include "hardware/found_machine.hpp"
#include "support/temporary_folder.hpp"

namespace oblea::test {

struct FakeLink {
  std::string speed_now = "16.0 GT/s PCIe";
  std::string speed_max = "16.0 GT/s PCIe";
  int lanes_now = 16;
  int lanes_max = 16;
};

class FakeMachine {
 public:
  FakeMachine();
  ~FakeMachine();

  FakeMachine& file(const std::string& path, const std::string& text);
  FakeMachine& link(const std::string& path, const std::string& target);

  // x86 with this name, "AuthenticAMD" or "GenuineIntel", CPUID family and model; two threads a core.
  FakeMachine& cpu(const std::string& name, const std::string& vendor, int family, int model, int sockets, int cores,
                   const std::string& flags = "fpu sse2");
  FakeMachine& memory(double gib);  // that the kernel hands out
  FakeMachine& board(const std::string& vendor, const std::string& product, const std::string& board);

  // A PCI function behind a root port of its own; `slot` is the port's side of the link.
  FakeMachine& pci(const std::string& address, const std::string& vendor, const std::string& device,
                   const std::string& class_code, const FakeLink& card, const FakeLink& slot,
                   const std::string& revision = "0xa1");
  FakeMachine& nic(const std::string& interface, const std::string& address, const std::string& driver, int megabits);
  FakeMachine& nvml(const std::string& lines);  // see fake_nvml.cpp

  FoundMachine find() const;
  std::string root() const { return folder_.path(); }
  std::string nvml_path() const;  // "" without nvml()

 private:
  TemporaryFolder folder_;
  TemporaryFolder nvml_folder_;
  bool has_nvml_ = false;
};

// Two 3090s, one behind a x8 slot of an X570 board each, resting at gen1, limited to 280 of 350 W.
void make_two_3090(FakeMachine& machine);

// Eight H100 SXM with NVLink, two Xeon 8480+, 2 TiB, InfiniBand.
void make_eight_h100(FakeMachine& machine);

}  // namespace oblea::test
