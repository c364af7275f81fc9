// EngineVersion: the version that a user names, in an order.
#pragma once

#include <optional>
#include <string_view>

namespace oblea {

// llama.cpp counts builds ("b6500") and since September 2026 releases ("v0.5.0"); vLLM counts releases ("0.10.2").
struct EngineVersion {
  int build = 0;  // of llama.cpp; 0: a release
  int major = 0;
  int minor = 0;
  int patch = 0;
};

// Nothing where the text is neither. Examples: "b6500", "6500", "v0.5.0", "0.10.2", "0.8".
std::optional<EngineVersion> parse_engine_version(std::string_view text);

// An empty or unreadable text is of today.
bool is_llama_cpp_before(std::string_view version, int build);
bool is_vllm_before(std::string_view version, int major, int minor);

}  // namespace oblea
