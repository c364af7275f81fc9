#include "io/gguf/plan.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/core.h>

#include "base/limits.hpp"

namespace oblea {
namespace {

// Families whose files give a window and leave it to the engine which layers slide: periods as llama.cpp has them
// (src/models, read 2026-11). Llama 4 attends in chunks of 8192 that its files do not mention.
struct WindowRule {
  std::string_view architecture;
  std::int64_t period;
  bool dense_first = false;
  std::int64_t window = 0;  // where the file has none
};

constexpr std::array<WindowRule, 13> kWindowRules{{{"gemma2", 2},
                                                   {"gemma3", 6},
                                                   {"gemma3n", 5},
                                                   {"cohere2", 4},
                                                   {"cohere2moe", 4, true},
                                                   {"gpt-oss", 2},
                                                   {"exaone4", 4},
                                                   {"exaone-moe", 4},
                                                   {"olmo2", 4},
                                                   {"afmoe", 4},
                                                   {"plamo3", 8},
                                                   {"smallthinker", 4, true},
                                                   {"llama4", 4, false, 8192}}};

// Its files may lack the key, and llama.cpp shares from layer 20 on whatever they say.
constexpr std::string_view kGemma3n = "gemma3n";
constexpr int kGemma3nOwnLayers = 20;

const WindowRule* find_rule(const std::string& architecture) {
  const auto found = std::find_if(kWindowRules.begin(), kWindowRules.end(),
                                  [&](const WindowRule& rule) { return rule.architecture == architecture; });
  return found == kWindowRules.end() ? nullptr : &*found;
}

// Absent, 0, -1 and 2^32 - 1 all say that nothing slides.
std::int64_t read_window(GgufKeys& keys, const WindowRule* rule) {
  const GgufValue* value = keys.value("attention.sliding_window");
  if (value == nullptr) return rule != nullptr ? rule->window : 0;
  const double* number = std::get_if<double>(value);
  if (number == nullptr) return keys.integer("attention.sliding_window").value_or(0);
  return *number >= 1 && *number <= kMaxGgufWidth ? static_cast<std::int64_t>(*number) : 0;
}

// Truth values, one a layer or a pattern that repeats.
std::vector<bool> repeat(const std::vector<double>& pattern, int layers) {
  std::vector<bool> slides;
  slides.reserve(static_cast<std::size_t>(layers));
  for (int i = 0; i < layers; ++i) slides.push_back(pattern[static_cast<std::size_t>(i) % pattern.size()] != 0);
  return slides;
}

std::vector<bool> read_slides(GgufKeys& keys, const WindowRule* rule, int layers) {
  const GgufValue* value = keys.value("attention.sliding_window_pattern");
  const GgufArray* array = value != nullptr ? std::get_if<GgufArray>(value) : nullptr;
  if (array != nullptr && !array->numbers.empty()) return repeat(array->numbers, layers);
  const double* number = value != nullptr ? std::get_if<double>(value) : nullptr;
  if (number == nullptr && rule == nullptr) {
    keys.warn(fmt::format("{} gives a window, but not which layers slide: all are taken to keep the whole context",
                          keys.full_name("attention.sliding_window")),
              fmt::format("if you know better: --override {}=6 (all but every sixth layer slide)",
                          keys.full_name("attention.sliding_window_pattern")));
    return std::vector<bool>(static_cast<std::size_t>(layers), false);
  }
  const std::int64_t period =
      number != nullptr ? keys.integer("attention.sliding_window_pattern").value_or(1) : rule->period;
  std::vector<bool> slides;
  slides.reserve(static_cast<std::size_t>(layers));
  for (int i = 0; i < layers; ++i) slides.push_back(slides_in_pattern(i, period, rule != nullptr && rule->dense_first));
  return slides;
}

void read_windows(GgufKeys& keys, GgufPlan& plan) {
  const WindowRule* rule = find_rule(keys.architecture());
  plan.window = read_window(keys, rule);
  plan.slides = plan.window > 0 ? read_slides(keys, rule, plan.layers)
                                : std::vector<bool>(static_cast<std::size_t>(plan.layers), false);
}

// "attention.recurrent_layers" one a layer, or every n-th layer attends (Qwen3-Next: 4).
std::vector<bool> read_recurrent(GgufKeys& keys, int layers) {
  std::vector<bool> recurrent;
  if (keys.has("attention.recurrent_layers")) {
    for (const std::int64_t flag : keys.per_layer("attention.recurrent_layers", layers)) recurrent.push_back(flag != 0);
    return recurrent;
  }
  const std::int64_t interval = keys.integer("full_attention_interval").value_or(0);
  for (int i = 0; i < layers && interval > 0; ++i) recurrent.push_back((i + 1) % interval != 0);
  return recurrent;
}

}  // namespace

bool slides_in_pattern(int layer, std::int64_t period, bool dense_first) {
  if (period == 0) return true;
  return dense_first ? layer % period != 0 : layer % period < period - 1;
}

GgufPlan read_plan(GgufKeys& keys, int layers, std::int64_t hidden, bool has_tensors) {
  GgufPlan plan;
  plan.layers = layers;
  plan.hidden = hidden;
  plan.has_tensors = has_tensors;
  plan.heads = keys.per_layer("attention.head_count", layers);
  plan.kv_heads = keys.per_layer("attention.head_count_kv", layers);
  plan.feed_forward = keys.per_layer("feed_forward_length", layers);
  plan.compress_ratios = keys.per_layer("attention.compress_ratios", layers);
  plan.recurrent = read_recurrent(keys, layers);
  read_windows(keys, plan);
  const auto shared = static_cast<int>(keys.integer("attention.shared_kv_layers").value_or(0));
  plan.first_shared_kv = std::max(0, layers - shared);
  if (shared == 0 && keys.architecture() == kGemma3n) plan.first_shared_kv = std::min(layers, kGemma3nOwnLayers);
  return plan;
}

}  // namespace oblea
