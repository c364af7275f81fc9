// Which layers have experts: first layers that are dense, steps, periods, lists.
#include <algorithm>
#include <string>

#include "io/huggingface/config_draft.hpp"
#include "io/huggingface/config_keys.hpp"

namespace oblea {

namespace key = config_key;

void plan_feeds(PlanDraft& draft) {
  if (draft.reader.size(key::kExperts) <= 1) return;
  const std::vector<std::int64_t> frequency = draft.reader.integers(key::kMoeFrequency);
  const std::vector<std::int64_t> listed = draft.reader.integers(key::kMoeLayers);
  const std::vector<std::int64_t> dense = draft.reader.integers(key::kDenseLayers);
  const std::vector<std::string> types = draft.reader.texts(key::kMlpTypes);
  const auto first = static_cast<std::size_t>(draft.reader.size(key::kDenseFirst));
  const auto step = static_cast<std::size_t>(draft.reader.size(key::kMoeStep));
  const auto every = static_cast<std::size_t>(draft.reader.size(key::kMoeFrequency));
  const auto period = static_cast<std::size_t>(draft.reader.size(key::kMoePeriod));
  const auto offset = static_cast<std::size_t>(std::max(0.0, draft.reader.number(key::kMoeOffset)));
  const auto contains = [](const std::vector<std::int64_t>& list, std::size_t i) {
    return std::find(list.begin(), list.end(), static_cast<std::int64_t>(i)) != list.end();
  };
  for (std::size_t i = 0; i < draft.layers.size(); ++i) {
    if (draft.layers[i].single || draft.layers[i].feed != Feed::dense) continue;
    bool moe = i >= first && !contains(dense, i);
    if (!listed.empty()) moe = contains(listed, i);
    if (step > 1) moe = moe && (i + 1) % step == 0;
    if (every > 1) moe = moe && i % every == 0;
    if (period > 0) moe = i % period == offset;
    if (!frequency.empty()) moe = i < frequency.size() && frequency[i] != 0;
    if (i < types.size()) moe = types[i] != "dense";
    if (moe) draft.layers[i].feed = Feed::moe;
  }
}

}  // namespace oblea
