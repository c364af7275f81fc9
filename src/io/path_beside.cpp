#include "io/path_beside.hpp"

#include <filesystem>

namespace oblea {

std::string path_beside(const ObjectReader& reader, const JsonValue& named, const std::string& path) {
  const std::string named_in = reader.document().place(named).file;
  const bool typed = named_in == "command line" || named_in.empty();
  const std::filesystem::path folder = typed ? "" : std::filesystem::path(named_in).parent_path();
  return (folder / path).string();
}

}  // namespace oblea
