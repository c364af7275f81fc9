// Layers by lists: ratios, names of kinds, letters, numbers of layers, periods.
#include <algorithm>
#include <string>

#include "base/printable.hpp"
#include "io/huggingface/config_draft.hpp"
#include "io/huggingface/config_keys.hpp"

namespace oblea {
namespace {

namespace key = config_key;

struct KindName {
  std::string_view name;
  Mixer mixer;
};

constexpr KindName kKindNames[] = {
    {"full_attention", Mixer::full},
    {"attention", Mixer::full},
    {"attn", Mixer::full},
    {"full", Mixer::full},
    {"global", Mixer::full},
    {"global_attention", Mixer::full},
    {"sliding_attention", Mixer::sliding},
    {"sliding", Mixer::sliding},
    {"local", Mixer::sliding},
    {"local_attention", Mixer::sliding},
    {"swa", Mixer::sliding},
    {"chunked_attention", Mixer::sliding},
    {"linear_attention", Mixer::linear},
    {"linear", Mixer::linear},
    {"gdn", Mixer::linear},
    {"kda", Mixer::delta},
    {"mamba", Mixer::ssm},
    {"mamba2", Mixer::ssm},
    {"ssm", Mixer::ssm},
    {"conv", Mixer::conv},
    {"short_conv", Mixer::conv},
    {"compressed_sparse_attention", Mixer::compressed},
    {"heavily_compressed_attention", Mixer::compressed},
};

void set_named(PlanDraft& draft, LayerPlan& layer, const std::string& kind, std::size_t index) {
  for (const KindName& known : kKindNames) {
    if (known.name != kind) continue;
    draft.set(layer, known.mixer);
    if (known.mixer != Mixer::compressed) return;
    const JsonValue* rate = draft.reader.find_path("compress_rates." + kind);
    const bool counts = rate != nullptr && rate->kind == JsonValue::Kind::number && rate->number >= 1;
    layer.compress_ratio = counts ? static_cast<int>(std::min(rate->number, 1e6)) : 0;
    layer.indexed = kind == "compressed_sparse_attention";
    if (layer.compress_ratio <= 0) draft.reader.fault(rate, fmt::format("compress_rates: none for \"{}\"", kind));
    return;
  }
  draft.reader.fault(draft.reader.find(key::kLayerTypes),
                     fmt::format("layer {} is \"{}\", a kind that is not known", index, cut_text(kind, 40)));
}

// Between compressed layers a sliding one is a compressed one that keeps its window only.
void join_windows_to_compression(PlanDraft& draft) {
  const auto compressed = [](const LayerPlan& layer) { return layer.mixer == Mixer::compressed; };
  if (std::none_of(draft.layers.begin(), draft.layers.end(), compressed)) return;
  for (LayerPlan& layer : draft.layers) {
    if (layer.mixer == Mixer::sliding) layer.mixer = Mixer::compressed;
  }
}

// Kimi Linear counts its layers from 1.
bool set_deltas(PlanDraft& draft) {
  const std::vector<std::int64_t> deltas = draft.reader.integers(key::kDeltaLayers);
  for (const std::int64_t layer : deltas) {
    if (layer >= 1 && layer <= static_cast<std::int64_t>(draft.layers.size()))
      draft.layers[static_cast<std::size_t>(layer - 1)].mixer = Mixer::delta;
  }
  draft.reader.find(key::kDeltaFullLayers);
  return !deltas.empty();
}

bool set_periods(PlanDraft& draft) {
  if (const JsonValue* list = draft.reader.find(key::kFullLayers);
      list != nullptr && list->kind == JsonValue::Kind::array) {
    const std::vector<std::int64_t> full_layers = draft.reader.integers(key::kFullLayers);
    const Mixer other = draft.reader.has(key::kConvTaps) ? Mixer::conv : Mixer::ssm;
    for (std::size_t i = 0; i < draft.layers.size(); ++i) {
      const bool is_full = std::find(full_layers.begin(), full_layers.end(), i) != full_layers.end();
      draft.set(draft.layers[i], is_full ? Mixer::full : other);
    }
    return true;
  }
  std::vector<std::int64_t> types = draft.reader.integers(key::kFullTypes);  // MiniMax Text 01: 1 is full attention
  if (draft.fits(key::kFullTypes, types)) {
    for (std::size_t i = 0; i < draft.layers.size(); ++i)
      draft.set(draft.layers[i], types[i] == 1 ? Mixer::full : Mixer::linear);
    return true;
  }
  if (const std::int64_t interval = draft.reader.size(key::kFullInterval); interval > 0) {
    for (std::size_t i = 0; i < draft.layers.size(); ++i)
      draft.set(draft.layers[i], (static_cast<std::int64_t>(i) + 1) % interval == 0 ? Mixer::full : Mixer::linear);
    return true;
  }
  if (const std::int64_t period = draft.reader.size(key::kAttentionPeriod); period > 0) {
    const auto offset = static_cast<std::int64_t>(draft.reader.number(key::kAttentionOffset));
    for (std::size_t i = 0; i < draft.layers.size(); ++i)
      draft.set(draft.layers[i], static_cast<std::int64_t>(i) % period == offset ? Mixer::full : Mixer::ssm);
    return true;
  }
  return false;
}

}  // namespace

// DeepSeek V4: the layers of the smallest ratio have an indexer; the others attend to all of their few entries.
bool plan_by_compression(PlanDraft& draft) {
  std::vector<std::int64_t> ratios = draft.reader.integers(key::kCompressRatios);
  if (!draft.fits(key::kCompressRatios, ratios)) return false;
  std::int64_t smallest = 0;
  for (const std::int64_t ratio : ratios) {
    if (ratio > 0 && (smallest == 0 || ratio < smallest)) smallest = ratio;
  }
  for (std::size_t i = 0; i < draft.layers.size(); ++i) {
    draft.layers[i].mixer = Mixer::compressed;
    draft.layers[i].compress_ratio = static_cast<int>(std::max<std::int64_t>(ratios[i], 0));
    draft.layers[i].indexed = ratios[i] > 0 && ratios[i] == smallest;
    draft.layers[i].window = draft.window();
  }
  return true;
}

bool plan_by_list(PlanDraft& draft) {
  std::vector<std::string> kinds = draft.reader.texts(key::kLayerTypes);
  if (!draft.fits(key::kLayerTypes, kinds)) return false;
  const auto alone = [](const std::string& kind) { return kind == "moe" || kind == "mlp"; };
  const bool single = std::any_of(kinds.begin(), kinds.end(), alone);
  for (std::size_t i = 0; i < draft.layers.size(); ++i) {
    draft.layers[i].single = single;
    if (alone(kinds[i])) {
      draft.layers[i].mixer = Mixer::none;
      draft.layers[i].feed = kinds[i] == "moe" ? Feed::moe : Feed::dense;
    } else {
      set_named(draft, draft.layers[i], kinds[i], i);
      if (single) draft.layers[i].feed = Feed::none;
    }
  }
  join_windows_to_compression(draft);
  return true;
}

// Nemotron H: M Mamba 2, * attention, - MLP, E experts; each letter is a layer of one thing.
bool plan_by_pattern(PlanDraft& draft) {
  const std::string text = hybrid_pattern(draft.reader);
  std::vector<char> letters(text.begin(), text.end());
  if (!draft.fits(key::kHybridPattern, letters)) return false;
  for (std::size_t i = 0; i < draft.layers.size(); ++i) {
    LayerPlan& layer = draft.layers[i];
    layer.single = true;
    const bool mlp = letters[i] == '-' || letters[i] == 'E';
    layer.feed = letters[i] == 'E' ? Feed::moe : mlp ? Feed::dense : Feed::none;
    layer.mixer = mlp ? Mixer::none : letters[i] == 'M' ? Mixer::ssm : draft.full();
    if (std::string_view("ME*-").find(letters[i]) == std::string_view::npos)
      draft.reader.fault(draft.reader.find(key::kHybridPattern),
                         fmt::format("layer {} is a letter other than M, E, *, -", i));
  }
  return true;
}

bool plan_by_numbers(PlanDraft& draft) { return set_deltas(draft) || set_periods(draft); }

}  // namespace oblea
