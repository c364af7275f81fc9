// The geometry of published models, as config.json writes it: facts in geometry/models.json, read once.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "io/huggingface/config_model.hpp"
#include "llm/parameters.hpp"
#include "support/repository.hpp"
#include "support/temporary_folder.hpp"

namespace oblea::test {

struct PublishedModel {
  std::string name;
  double parameters = 0;    // published; 0: no count that names more than "7B" was found
  bool counts_all = false;  // with vision tower, positions and the like
  std::string source;
  std::string model_type;
  std::string config;
};

inline const std::vector<PublishedModel>& published_models() {
  static const std::vector<PublishedModel> models = [] {
    std::vector<PublishedModel> list;
    const auto json = nlohmann::json::parse(read_file(repository_path("tests/validation/geometry/models.json")));
    for (const auto& entry : json.at("models")) {
      list.push_back({entry.at("name"), entry.at("public_parameters"), entry.at("counts") == "all", entry.at("source"),
                      entry.at("config").at("model_type"), entry.at("config").dump()});
    }
    return list;
  }();
  return models;
}

inline ModelSpec import_config(const std::string& text, const std::vector<KeyOverride>& overrides = {}) {
  Diagnostics warnings;
  Result<ModelSpec> model = parse_config_model(text, "config.json", overrides, warnings);
  if (!model) throw std::runtime_error(print_diagnostics(model.error()));
  return std::move(*model);
}

inline const std::string& published_config(const std::string& name) {
  for (const PublishedModel& model : published_models()) {
    if (model.name == name) return model.config;
  }
  throw std::runtime_error("no geometry of " + name);
}

inline ModelSpec published_model(const std::string& name) { return import_config(published_config(name)); }

inline double counted_parameters(const ModelSpec& model, bool all) {
  return static_cast<double>(total_parameters(model) + (all ? model.extra_parameters : 0));
}

}  // namespace oblea::test
