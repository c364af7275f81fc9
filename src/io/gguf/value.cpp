#include "io/gguf/value.hpp"

#include <array>
#include <limits>

#include <fmt/core.h>

#include "base/limits.hpp"

namespace oblea {
namespace {

struct TypeRow {
  std::string_view name;
  std::uint32_t bytes;  // of one element; of a text its length field, the least that it takes
};

constexpr std::array<TypeRow, kGgufValueTypeCount> kRows{{{"u8", 1},
                                                          {"i8", 1},
                                                          {"u16", 2},
                                                          {"i16", 2},
                                                          {"u32", 4},
                                                          {"i32", 4},
                                                          {"f32", 4},
                                                          {"bool", 1},
                                                          {"string", 8},
                                                          {"array", 12},
                                                          {"u64", 8},
                                                          {"i64", 8},
                                                          {"f64", 8}}};

const TypeRow& row(GgufValueType type) { return kRows[static_cast<std::size_t>(type)]; }

GgufValueType read_type(GgufReader& reader, const char* what) {
  const std::uint64_t at = reader.offset();
  const auto id = reader.number<std::uint32_t>(what);
  if (id < kGgufValueTypeCount) return static_cast<GgufValueType>(id);
  reader.fail_at(at, fmt::format("{} is {}; GGUF knows 0 to {}", what, id, kGgufValueTypeCount - 1));
  return GgufValueType::uint8;
}

bool read_truth(GgufReader& reader) {
  const std::uint64_t at = reader.offset();
  const auto byte = reader.number<std::uint8_t>("a truth value");
  if (byte > 1) reader.fail_at(at, fmt::format("a truth value is {}; only 0 and 1 have a meaning", byte));
  return byte == 1;
}

double read_number(GgufReader& reader, GgufValueType type) {
  switch (type) {
    case GgufValueType::uint8:
      return reader.number<std::uint8_t>("a number");
    case GgufValueType::int8:
      return reader.number<std::int8_t>("a number");
    case GgufValueType::uint16:
      return reader.number<std::uint16_t>("a number");
    case GgufValueType::int16:
      return reader.number<std::int16_t>("a number");
    case GgufValueType::uint32:
      return reader.number<std::uint32_t>("a number");
    case GgufValueType::int32:
      return reader.number<std::int32_t>("a number");
    case GgufValueType::float32:
      return static_cast<double>(reader.number<float>("a number"));
    case GgufValueType::uint64:
      return static_cast<double>(reader.number<std::uint64_t>("a number"));
    case GgufValueType::int64:
      return static_cast<double>(reader.number<std::int64_t>("a number"));
    case GgufValueType::float64:
      return reader.number<double>("a number");
    case GgufValueType::boolean:
      return read_truth(reader) ? 1 : 0;
    case GgufValueType::text:
    case GgufValueType::array:
      break;
  }
  return 0;
}

void skip_texts(GgufReader& reader, std::uint64_t count) {
  for (std::uint64_t i = 0; i < count && reader.ok(); ++i) {
    reader.text("a text of an array", std::numeric_limits<std::uint64_t>::max(), 0);
  }
}

GgufArray read_array(GgufReader& reader) {
  GgufArray array;
  const std::uint64_t at = reader.offset();
  array.element = read_type(reader, "the type of an array's elements");
  if (array.element == GgufValueType::array) {
    reader.fail_at(at, "an array of arrays; no model has one, and llama.cpp refuses them too");
  }
  const std::uint64_t count_at = reader.offset();
  array.count = reader.number<std::uint64_t>("the length of an array");
  if (!reader.ok()) return array;
  const std::uint64_t each = row(array.element).bytes;
  if (array.count > reader.remaining() / each) {
    reader.fail_at(count_at,
                   fmt::format("an array declares {} elements of {} bytes or more, but only {} bytes are left",
                               array.count, each, reader.remaining()));
    return array;
  }
  if (array.element == GgufValueType::text) {
    skip_texts(reader, array.count);
  } else if (array.count > kMaxGgufKeptArray) {
    reader.skip("an array", array.count * each);
  } else {
    array.kept = true;
    array.numbers.reserve(static_cast<std::size_t>(array.count));
    for (std::uint64_t i = 0; i < array.count && reader.ok(); ++i) {
      array.numbers.push_back(read_number(reader, array.element));
    }
  }
  return array;
}

}  // namespace

std::string_view gguf_value_type_name(GgufValueType type) { return row(type).name; }

GgufValue read_gguf_value(GgufReader& reader) {
  const GgufValueType type = read_type(reader, "the type of a value");
  switch (type) {
    case GgufValueType::boolean:
      return read_truth(reader);
    case GgufValueType::text:
      return reader.text("a text", std::numeric_limits<std::uint64_t>::max(), kMaxGgufKeptText);
    case GgufValueType::array:
      return read_array(reader);
    default:
      return read_number(reader, type);
  }
}

}  // namespace oblea
