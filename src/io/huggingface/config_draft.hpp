// PlanDraft: the layers of a config.json while it is found out which is what.
#pragma once

#include <fmt/core.h>

#include "io/huggingface/config_plan.hpp"

namespace oblea {

struct PlanDraft {
  ConfigReader& reader;
  const FamilyFacts& facts;
  std::vector<LayerPlan> layers;

  // The attention that a list calls full is latent where the model has a latent cache.
  Mixer full();
  // Linear attention is Kimi's where its keys are there; a sliding layer gets the file's window.
  void set(LayerPlan& layer, Mixer mixer);
  int window();

  // True for a list of the right length. Over-long ones are cut, with a warning: DeepSeek V4's also names the layers
  // that predict further tokens.
  template <class T>
  bool fits(const ConfigKey& key, std::vector<T>& list) {
    if (list.empty()) return false;
    if (list.size() < layers.size()) {
      reader.fault(reader.find(key),
                   fmt::format("{}: {} entries for {} layers", key.names.front(), list.size(), layers.size()));
      return false;
    }
    if (list.size() > layers.size()) {
      reader.warn(reader.find(key), fmt::format("{}: {} entries for {} layers; the first {} count", key.names.front(),
                                                list.size(), layers.size(), layers.size()));
      list.resize(layers.size());
    }
    return true;
  }
};

// By what the file says of each layer; false where it says nothing of the kind.
bool plan_by_compression(PlanDraft& draft);  // DeepSeek V4's ratios
bool plan_by_list(PlanDraft& draft);         // names of kinds
bool plan_by_pattern(PlanDraft& draft);      // Nemotron H's letters
bool plan_by_numbers(PlanDraft& draft);      // numbers of layers, periods, intervals
bool plan_windows(PlanDraft& draft);         // sliding layers among full ones

// Which layers have experts.
void plan_feeds(PlanDraft& draft);

// The pattern of letters without its separators; empty when there is none.
std::string hybrid_pattern(ConfigReader& reader);

}  // namespace oblea
