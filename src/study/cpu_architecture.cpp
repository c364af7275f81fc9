#include "study/cpu_architecture.hpp"

namespace oblea {
namespace {

struct ModelRange {
  const char* vendor;
  int family, first, last;
  const char* architecture;
};

constexpr ModelRange kArchitectures[] = {
    {"amd", 0x17, 0x30, 0x3f, "zen2"},     {"amd", 0x17, 0x60, 0x7f, "zen2"},
    {"amd", 0x19, 0x00, 0x0f, "zen3"},     {"amd", 0x19, 0x20, 0x2f, "zen3"},
    {"amd", 0x19, 0x40, 0x5f, "zen3"},     {"amd", 0x19, 0x10, 0x1f, "zen4"},
    {"amd", 0x19, 0x60, 0x7f, "zen4"},     {"amd", 0x19, 0xa0, 0xaf, "zen4"},
    {"amd", 0x1a, 0x00, 0xff, "zen5"},     {"intel", 6, 79, 79, "broadwell"},
    {"intel", 6, 85, 85, "skylake-x"},     {"intel", 6, 143, 143, "sapphire-rapids"},
    {"intel", 6, 158, 158, "kaby-lake"},   {"intel", 6, 183, 183, "raptor-lake"},
    {"intel", 6, 186, 186, "raptor-lake"}, {"intel", 6, 191, 191, "raptor-lake"},
};

}  // namespace

std::string cpu_architecture(const FoundCpu& cpu) {
  for (const ModelRange& range : kArchitectures) {
    if (cpu.vendor == range.vendor && cpu.family == range.family && cpu.model >= range.first && cpu.model <= range.last)
      return range.architecture;
  }
  return "";
}

}  // namespace oblea
