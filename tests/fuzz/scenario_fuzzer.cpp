// Any bytes as a scenario: read, or refused with words; never a crash.
#include <cstdint>
#include <cstdlib>

#include "io/read_profiles.hpp"
#include "io/scenario_file.hpp"
#include "memory_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const oblea::ProfileLibrary library =
      oblea::read_profile_library(OBLEA_SOURCE_DIRECTORY "/hardware-profiles").value();
  const MemoryFile file(data, size);
  oblea::Diagnostics warnings;
  const auto scenario =
      oblea::read_scenario(file.path(), {}, library, OBLEA_SOURCE_DIRECTORY "/scenarios/models", warnings);
  if (!scenario && oblea::print_diagnostics(scenario.error()).empty()) std::abort();
  if (scenario && scenario->model.layers.empty()) std::abort();
  return 0;
}
