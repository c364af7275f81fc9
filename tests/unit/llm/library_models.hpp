// The product's own model files, read once, for tests.
#pragma once

#include <map>
#include <stdexcept>
#include <string>

#include "io/model_file.hpp"
#include "llm/footprint.hpp"

namespace oblea::test {

inline const std::string& model_folder() {
  static const std::string folder = std::string(OBLEA_SOURCE_DIRECTORY) + "/scenarios/models";
  return folder;
}

inline const ModelSpec& library_model(const std::string& id) {
  static std::map<std::string, ModelSpec> cache;
  if (const auto found = cache.find(id); found != cache.end()) return found->second;
  Diagnostics warnings;
  Result<ModelSpec> model = find_model(model_folder(), id, warnings);
  if (!model) throw std::runtime_error(print_diagnostics(model.error()));
  return cache.emplace(id, std::move(*model)).first->second;
}

// "llama-3.3-70b" as GoogleTest wants names: letters, digits and underscores.
inline std::string test_name(std::string id) {
  for (char& c : id) c = c == '-' || c == '.' ? '_' : c;
  return id;
}

// A file holds the text model: the vision tower (`extra`) is a file of its own in GGUF.
inline double file_bytes(const std::string& id, const std::string& mixture) {
  const Mixture* found = find_mixture(mixture);
  if (found == nullptr) throw std::runtime_error("no mixture " + mixture);
  const ModelFootprint footprint = make_footprint(library_model(id), *found);
  return (footprint.weights() - footprint.extra).value();
}

}  // namespace oblea::test
