// GgufValue: the value of one key of a GGUF header: a number, a truth value, a text, or an array of one of them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "io/gguf/reader.hpp"

namespace oblea {

enum class GgufValueType : std::uint32_t {
  uint8,
  int8,
  uint16,
  int16,
  uint32,
  int32,
  float32,
  boolean,
  text,
  array,
  uint64,
  int64,
  float64
};

inline constexpr std::uint32_t kGgufValueTypeCount = 13;

std::string_view gguf_value_type_name(GgufValueType type);

// Numbers and truth values (0, 1) of an array are kept up to kMaxGgufKeptArray of them; texts are only counted.
struct GgufArray {
  GgufValueType element = GgufValueType::uint8;
  std::uint64_t count = 0;
  bool kept = false;
  std::vector<double> numbers;
};

// Integers are exact up to 2^53, far beyond any count in a header.
using GgufValue = std::variant<double, bool, std::string, GgufArray>;

// Type and value as they stand behind a key. Faults: unknown types, truth values besides 0 and 1, arrays of arrays
// (which llama.cpp refuses too, and no model uses), lengths beyond the file.
GgufValue read_gguf_value(GgufReader& reader);

}  // namespace oblea
