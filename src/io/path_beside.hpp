// PathBeside: where a file lies that a scenario names.
#pragma once

#include <string>

#include "io/fields.hpp"

namespace oblea {

// Beside the scenario (or the file that it extends) in which `named` stands; on the command line, beside the user.
std::string path_beside(const ObjectReader& reader, const JsonValue& named, const std::string& path);

}  // namespace oblea
