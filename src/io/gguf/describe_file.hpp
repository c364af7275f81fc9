// Describe: what stands in a GGUF file whose header is whole, though no plan can be made of it.
#pragma once

#include "io/gguf/header.hpp"
#include "report/report.hpp"

namespace oblea {

// Name, architecture, keys, tensors by type with their bytes; and a verdict "no-plan" with what `faults` say is
// missing.
Report describe_gguf_file(const std::vector<GgufHeader>& headers, const Diagnostics& faults);

}  // namespace oblea
