// Sliding layers among full ones: by flags, a pattern, attention types, chunks, or the family's habit.
#include <algorithm>
#include <optional>
#include <string>

#include "base/limits.hpp"
#include "io/huggingface/config_draft.hpp"
#include "io/huggingface/config_keys.hpp"

namespace oblea {
namespace {

namespace key = config_key;

template <class Slides>
bool slide_where(PlanDraft& draft, Slides slides) {
  for (std::size_t i = 0; i < draft.layers.size(); ++i)
    draft.set(draft.layers[i], slides(i) ? Mixer::sliding : Mixer::full);
  return true;
}

// GPT-Neo: [[["global", "local"], 12]].
bool set_attention_types(PlanDraft& draft) {
  const JsonValue* groups = draft.reader.find(key::kAttentionTypes);
  if (groups == nullptr || groups->kind != JsonValue::Kind::array) return false;
  std::vector<bool> local;
  for (const JsonValue& group : groups->items) {
    if (group.items.size() != 2 || group.items[1].kind != JsonValue::Kind::number) continue;
    const double times = std::clamp(group.items[1].number, 0.0, static_cast<double>(kMaxLayers));
    for (int n = 0; n < static_cast<int>(times) && local.size() < draft.layers.size(); ++n) {
      for (const JsonValue& kind : group.items[0].items) local.push_back(kind.text == "local");
    }
  }
  if (!draft.fits(key::kAttentionTypes, local)) return false;
  return slide_where(draft, [&](std::size_t i) { return local[i]; });
}

}  // namespace

// Sliding layers by flags, pattern, attention types, or the family's habit; a window for all layers is the last
// case.
bool plan_windows(PlanDraft& draft) {
  std::vector<std::int64_t> flags = draft.reader.integers(key::kSlidingFlags);
  if (draft.fits(key::kSlidingFlags, flags)) return slide_where(draft, [&](std::size_t i) { return flags[i] != 0; });
  if (set_attention_types(draft)) return true;
  std::vector<std::int64_t> rotary = draft.reader.integers(key::kNoRopeLayers);  // Llama 4: chunked where rotary
  if (draft.reader.has(key::kChunk) && draft.fits(key::kNoRopeLayers, rotary))
    return slide_where(draft, [&](std::size_t i) { return rotary[i] != 0; });
  if (draft.reader.has(key::kChunk)) return slide_where(draft, [&](std::size_t i) { return (i + 1) % 4 != 0; });
  const std::string letters = draft.reader.text(key::kWindowPattern);  // EXAONE 4: "LLLG"
  if (!letters.empty()) return slide_where(draft, [&](std::size_t i) { return letters[i % letters.size()] == 'L'; });
  if (!draft.reader.has(key::kWindow)) return false;
  const std::optional<bool> uses = draft.reader.flag(key::kUseWindow);
  if (uses == false) return false;
  const std::int64_t period = draft.reader.size(key::kWindowPattern);
  const auto every = static_cast<std::size_t>(period > 0 ? period : draft.facts.full_every);
  if (every > 0) return slide_where(draft, [&](std::size_t i) { return (i + 1) % every != 0; });
  if (uses == true) {
    const auto from = static_cast<std::size_t>(draft.reader.size(key::kWindowFrom));
    return slide_where(draft, [&](std::size_t i) { return i >= from; });
  }
  draft.reader.warn(draft.reader.find(key::kWindow),
                    "a window on every layer: mainline runtimes ignore it and keep the whole context, and so does this",
                    "--override use_sliding_window=true makes every layer slide");
  return true;
}

}  // namespace oblea
