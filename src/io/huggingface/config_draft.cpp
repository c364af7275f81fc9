#include "io/huggingface/config_draft.hpp"

#include <algorithm>

#include "io/huggingface/config_keys.hpp"

namespace oblea {

namespace key = config_key;

Mixer PlanDraft::full() { return reader.has(key::kKvLora) ? Mixer::latent : Mixer::full; }

void PlanDraft::set(LayerPlan& layer, Mixer mixer) {
  layer.mixer = mixer == Mixer::full ? full() : mixer;
  if (mixer == Mixer::linear && reader.has(key::kDeltaHeads)) layer.mixer = Mixer::delta;
  if (mixer == Mixer::sliding) layer.window = window();
}

int PlanDraft::window() {
  const std::int64_t size = reader.size(key::kWindow);
  if (size > 0) return static_cast<int>(size);
  return static_cast<int>(reader.required_size(reader.has(key::kChunk) ? key::kChunk : key::kWindow));
}

std::string hybrid_pattern(ConfigReader& reader) {
  std::string pattern = reader.text(key::kHybridPattern);
  pattern.erase(std::remove(pattern.begin(), pattern.end(), '|'), pattern.end());
  return pattern;
}

}  // namespace oblea
