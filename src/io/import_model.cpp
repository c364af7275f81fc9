#include "io/import_model.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include <fmt/core.h>

#include "base/limits.hpp"
#include "io/gguf/model.hpp"
#include "io/huggingface/config_model.hpp"
#include "io/model_file.hpp"
#include "io/text_file.hpp"
#include "units/print.hpp"

namespace oblea {
namespace {

namespace fs = std::filesystem;

enum class Kind { gguf, config, own, safetensors, safetensors_index };

// The first bytes of a file; fewer where it is shorter, none where it cannot be read.
std::string first_bytes(const std::string& path, std::size_t count) {
  std::string bytes(count, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(bytes.data(), static_cast<std::streamsize>(count));
  bytes.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  return bytes;
}

bool starts_an_object(const std::string& bytes) {
  const std::size_t first = bytes.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  return first != std::string::npos && bytes[first] == '{';
}

// By what the file holds, not by its name: users rename. A name decides only where the content says nothing.
Kind kind_of(const std::string& path) {
  constexpr std::size_t kLooked = 1 << 16;
  const std::string bytes = first_bytes(path, kLooked);
  const std::string extension = fs::path(path).extension().string();
  if (extension == ".safetensors") return Kind::safetensors;
  if (!starts_an_object(bytes)) return extension == ".json" ? Kind::config : Kind::gguf;
  if (bytes.find("\"weight_map\"") != std::string::npos) return Kind::safetensors_index;
  const bool own = bytes.find("\"layers\"") != std::string::npos && bytes.find("\"hidden\"") != std::string::npos;
  return own ? Kind::own : Kind::config;
}

Result<ModelSpec> read_own(const std::string& path, const std::vector<KeyOverride>& overrides, Diagnostics& warnings) {
  for (const KeyOverride& override : overrides) {
    return fail(fmt::format("\"{}\": a model file of oblea takes no overrides", override.origin),
                "change the file itself");
  }
  return read_model(path, warnings);
}

// Weights alone say nothing about heads: the config.json beside them does.
Result<ModelSpec> read_beside(const std::string& path, const std::vector<KeyOverride>& overrides,
                              Diagnostics& warnings) {
  const fs::path config = fs::path(path).parent_path() / "config.json";
  std::error_code error;
  if (fs::is_regular_file(config, error)) return read_config_model(config.string(), overrides, warnings);
  Diagnostic fault;
  fault.place.file = path;
  fault.message = "safetensors hold weights, not heads and windows, and there is no config.json beside them";
  fault.hint = "download config.json of the same model into the same folder";
  return fail(Diagnostics{fault});
}

Result<ModelSpec> import_file(const std::string& path, const std::vector<KeyOverride>& overrides,
                              Diagnostics& warnings) {
  switch (kind_of(path)) {
    case Kind::gguf:
      return read_gguf_model(path, overrides, warnings);
    case Kind::config:
      return read_config_model(path, overrides, warnings);
    case Kind::own:
      return read_own(path, overrides, warnings);
    case Kind::safetensors:
    case Kind::safetensors_index:
      return read_beside(path, overrides, warnings);
  }
  return fail("a file is of one of these kinds");
}

// Several quantisations lie together in many folders; which one is meant decides what fits.
Diagnostic ask_which(const std::string& folder, const std::vector<GgufSet>& sets) {
  Diagnostic fault;
  fault.place.file = folder;
  fault.message = fmt::format("holds {} models; which one?", sets.size());
  constexpr std::size_t kListed = 20;
  for (std::size_t i = 0; i < std::min(sets.size(), kListed); ++i) {
    fault.hint += fmt::format("{}{} ({})", i == 0 ? "name one of: " : ", ", sets[i].path, print_gb(sets[i].bytes));
  }
  if (sets.size() > kListed) fault.hint += fmt::format(" and {} more", sets.size() - kListed);
  return fault;
}

Result<ModelSpec> import_folder(const std::string& folder, const std::vector<KeyOverride>& overrides,
                                Diagnostics& warnings) {
  const Result<std::vector<GgufSet>> sets = list_gguf_models(folder);
  if (!sets) return fail(sets.error());
  if (sets->size() > 1) return fail(Diagnostics{ask_which(folder, *sets)});
  if (sets->size() == 1) return read_gguf_model(sets->front().path, overrides, warnings);
  std::error_code error;
  const fs::path config = fs::path(folder) / "config.json";
  if (fs::is_regular_file(config, error)) return read_config_model(config.string(), overrides, warnings);
  Diagnostic fault;
  fault.place.file = folder;
  fault.message = "holds no model that can be read";
  fault.hint = "a model is a GGUF file, a config.json (with safetensors or without), or a model file of oblea";
  return fail(Diagnostics{fault});
}

}  // namespace

Result<ModelSpec> import_model(const std::string& path, const std::vector<KeyOverride>& overrides,
                               Diagnostics& warnings) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) {
    Diagnostic fault;
    fault.place.file = path;
    fault.message = error && status.type() != fs::file_type::not_found ? error.message() : "no such file or folder";
    return fail(Diagnostics{fault});
  }
  if (fs::is_directory(status)) return import_folder(path, overrides, warnings);
  if (!fs::is_regular_file(status)) {  // a pipe cannot be looked into twice
    Diagnostic fault;
    fault.place.file = path;
    fault.message = "is no regular file";
    return fail(Diagnostics{fault});
  }
  return import_file(path, overrides, warnings);
}

}  // namespace oblea
