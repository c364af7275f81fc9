#include "placement/engine_version.hpp"

#include <charconv>
#include <tuple>

namespace oblea {
namespace {

// The number at the front of `text`, taken off it.
std::optional<int> take_number(std::string_view& text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || number < 0) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

std::optional<int> take_part(std::string_view& text) {
  if (!text.starts_with('.')) return std::nullopt;
  text.remove_prefix(1);
  return take_number(text);
}

}  // namespace

std::optional<EngineVersion> parse_engine_version(std::string_view text) {
  if (text.starts_with('b') || text.starts_with('v')) text.remove_prefix(1);
  const std::optional<int> first = take_number(text);
  if (!first) return std::nullopt;
  const std::optional<int> second = take_part(text);
  if (!second) return text.empty() ? std::optional(EngineVersion{.build = *first}) : std::nullopt;
  return EngineVersion{.major = *first, .minor = *second, .patch = take_part(text).value_or(0)};
}

bool is_llama_cpp_before(std::string_view version, int build) {
  const std::optional<EngineVersion> parsed = parse_engine_version(version);
  return parsed && parsed->build > 0 && parsed->build < build;
}

bool is_vllm_before(std::string_view version, int major, int minor) {
  const std::optional<EngineVersion> parsed = parse_engine_version(version);
  return parsed && parsed->build == 0 && std::tie(parsed->major, parsed->minor) < std::tie(major, minor);
}

}  // namespace oblea
