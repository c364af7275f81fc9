#include "io/huggingface/config_overrides.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/printable.hpp"
#include "base/suggest.hpp"
#include "io/huggingface/config_blocks.hpp"

namespace oblea {
namespace {

std::string join(const std::string& path, const std::string& key) {
  return path.empty() ? key : fmt::format("{}.{}", path, key);
}

std::string path_of(const JsonDocument& document, const std::string& key) {
  const std::vector<ConfigBlock> blocks = find_language_blocks(document.root());
  for (const ConfigBlock& block : blocks) {
    if (!resolve_path(*block.value, key).empty()) return join(block.path, key);
  }
  const std::string first = key.substr(0, key.find('.'));
  const bool stands_on_top = document.root().find(first) != nullptr;
  return stands_on_top ? key : join(blocks.front().path, key);
}

}  // namespace

std::vector<std::string> apply_overrides(JsonDocument& document, const std::vector<KeyOverride>& overrides,
                                         Diagnostics& diagnostics) {
  std::vector<std::string> paths;
  for (const KeyOverride& override : overrides) {
    const std::string path = path_of(document, override.key);
    const Result<bool> set = document.set(path, override.value, override.origin);
    paths.push_back(set ? path : "");
    if (!set) diagnostics.insert(diagnostics.end(), set.error().begin(), set.error().end());
  }
  return paths;
}

void report_unused(ConfigReader& reader, const std::vector<KeyOverride>& overrides,
                   const std::vector<std::string>& paths) {
  for (std::size_t i = 0; i < overrides.size(); ++i) {
    if (paths[i].empty()) continue;
    const std::vector<const JsonValue*> trail = resolve_path(reader.document().root(), paths[i]);
    // An outer block is read whenever anything in it is: what counts is the key itself or the list it is an entry of.
    const bool read = std::any_of(trail.begin(), trail.end(), [&](const JsonValue* v) { return reader.was_read(*v); });
    if (!trail.empty() && !read)
      reader.warn(trail.back(), fmt::format("\"{}\" changes nothing", cut_text(overrides[i].key, 80)),
                  suggest(overrides[i].key, reader.asked()));
  }
}

}  // namespace oblea
