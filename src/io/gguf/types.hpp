// GgufType: how a number in a GGUF file names the layout of a tensor's data, as a table.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "llm/tensor_format.hpp"

namespace oblea {

struct GgufType {
  std::uint32_t id = 0;
  std::string_view name;
  std::uint32_t weights_per_block = 1;
  std::uint32_t bytes_per_block = 1;
  TensorFormat format = TensorFormat::f32;  // itself, or of those that timing knows the one nearest in bits
  std::string_view removed;                 // why files no longer hold it; "" for a living type
};

// nullptr for a number that nobody has given a meaning (2026-11).
const GgufType* find_gguf_type(std::uint32_t id);

// The format nearest in bytes a weight, for data of unknown layout. Example: 0.56 bytes a weight: Q4_K or Q4_0.
TensorFormat nearest_format(double bytes_per_weight);

// general.file_type as its files call it: 15 is "Q4_K_M"; "" for a number without a name.
std::string_view gguf_file_type_name(std::int64_t file_type);

}  // namespace oblea
