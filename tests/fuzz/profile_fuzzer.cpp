// Any bytes as a profile, and as a model file: read, or refused with words; never a crash.
#include <cstdint>
#include <cstdlib>

#include "io/model_file.hpp"
#include "io/read_profiles.hpp"
#include "memory_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const oblea::ProfileLibrary library =
      oblea::read_profile_library(OBLEA_SOURCE_DIRECTORY "/hardware-profiles").value();
  const MemoryFile file(data, size);
  oblea::print_diagnostics(oblea::check_profile_file(file.path(), library));
  oblea::Diagnostics warnings;
  const auto model = oblea::parse_model(std::string(reinterpret_cast<const char*>(data), size), "fuzz", warnings);
  if (!model && oblea::print_diagnostics(model.error()).empty()) std::abort();
  if (model && model->layers.empty()) std::abort();
  return 0;
}
