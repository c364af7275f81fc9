// What a file is that should have been a GGUF and is not.
#pragma once

#include <string>
#include <string_view>

namespace oblea {

// From the file's first bytes (256 are enough). Example: "<!DOCTYPE html>...": "it looks like an HTML page, ...".
std::string describe_other_file(std::string_view start);

}  // namespace oblea
