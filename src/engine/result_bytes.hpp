// ResultBytes: an EngineResult as bytes between a child and its parent; same program on both ends, so no versions.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "engine/engine_result.hpp"

namespace oblea {

std::string to_bytes(const EngineResult& result);

// Errors: cut short.
Result<EngineResult> from_bytes(std::string_view bytes);

}  // namespace oblea
