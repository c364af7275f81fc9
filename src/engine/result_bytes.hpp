// ResultBytes: a run's answer as bytes between a child and its parent; same program on both ends, so no versions.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "engine/engine_result.hpp"
#include "engine/transfers.hpp"

namespace oblea {

std::string to_bytes(const EngineResult& result);
std::string to_bytes(const TransferTimes& times);

// Errors: cut short.
Result<EngineResult> result_from_bytes(std::string_view bytes);
Result<TransferTimes> times_from_bytes(std::string_view bytes);

}  // namespace oblea
