// Reads the hardware library: one JSON file a thing, checked field by field, every fault reported at once.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "hardware/library.hpp"

namespace oblea {

// One number of a profile as `profiles show` prints it.
struct ProfileField {
  std::string key;
  std::string value;  // as written in the file
  Source source;
};

// One profile file as a list of fields, whatever its kind.
struct ProfileSheet {
  std::string kind;  // "gpu", "host", "psu", ...
  std::string id;
  std::string name;
  std::string path;
  std::vector<ProfileField> fields;
};

// Every profile below `folder` (hardware-profiles). Also checks references: a host's CPU, SoC and NIC exist, a price
// names a thing.
Result<ProfileLibrary> read_profile_library(const std::string& folder);

// Adds the profiles of one user file to a library; a profile of the same id replaces the library's. Warnings go to
// `warnings`.
Result<bool> add_profile_file(ProfileLibrary& library, const std::string& path, Diagnostics& warnings);

// Faults and warnings of one file, alone: what is missing, what is unknown, which numbers are estimates.
Diagnostics check_profile_file(const std::string& path, const ProfileLibrary& library);

Result<std::vector<ProfileSheet>> read_profile_sheets(const std::string& folder);

}  // namespace oblea
