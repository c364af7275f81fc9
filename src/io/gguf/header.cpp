#include "io/gguf/header.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

#include <fmt/core.h>

#include "base/limits.hpp"
#include "base/printable.hpp"
#include "io/gguf/layout.hpp"
#include "io/gguf/other_files.hpp"
#include "io/gguf/types.hpp"

namespace oblea {
namespace {

constexpr std::uint64_t kLeastBytes = 8;  // of a key or a tensor: the length of its name

// The name as a message shows it.
std::string quote(std::string_view name) { return fmt::format("\"{}\"", cut_text(name, 80)); }

void check_magic(ByteReader& bytes, GgufReader& reader) {
  const std::string start = bytes.peek(256);
  if (!bytes.trouble().empty()) return reader.fail_at(0, fmt::format("cannot read: {}", bytes.trouble()));
  if (!start.starts_with("GGUF")) return reader.fail_at(0, "no GGUF file: " + describe_other_file(start));
  reader.skip("the magic bytes", 4);
}

std::uint32_t read_version(GgufReader& reader) {
  const std::uint64_t at = reader.offset();
  const auto version = reader.number<std::uint32_t>("the version");
  const std::uint32_t swapped = (version >> 24) | ((version >> 8) & 0xFF00);  // of a small number
  if (version == 1) {
    reader.fail_at(at, "GGUF version 1 (August 2023), whose lengths have 32 bits; oblea reads versions 2 and 3",
                   "convert it with a llama.cpp of late 2023, or download a newer file");
  } else if ((version & 0xFFFF) == 0 && swapped > 0) {
    reader.fail_at(at, fmt::format("a big-endian GGUF (version {}), made for machines such as s390x", swapped),
                   "oblea reads little-endian files; llama.cpp's gguf_convert_endian.py turns one into the other");
  } else if (version != 2 && version != 3) {
    reader.fail_at(at, fmt::format("GGUF version {}; oblea reads versions 2 and 3", version));
  }
  return version;
}

std::uint64_t read_count(GgufReader& reader, const char* what, std::uint64_t limit) {
  const std::uint64_t at = reader.offset();
  const auto count = reader.number<std::uint64_t>(what);
  if (count > limit) {
    reader.fail_at(at, fmt::format("{} is {}; the limit is {}", what, count, limit));
  } else if (count > reader.remaining() / kLeastBytes) {
    reader.fail_at(at, fmt::format("{} is {}, each of {} bytes or more, but only {} bytes are left", what, count,
                                   kLeastBytes, reader.remaining()));
  }
  return count;
}

void read_keys(GgufReader& reader, std::uint64_t count, GgufHeader& header) {
  for (std::uint64_t i = 0; i < count && reader.ok(); ++i) {
    GgufKey key;
    const std::uint64_t at = reader.offset();
    key.name = reader.text("a key's name", kMaxGgufKeyBytes, kMaxGgufKeyBytes);
    if (key.name.empty()) reader.fail_at(at, "a key with an empty name");
    key.offset = reader.offset();
    key.value = read_gguf_value(reader);
    header.keys.push_back(std::move(key));
  }
}

void read_dims(GgufReader& reader, GgufTensor& tensor) {
  const std::uint64_t at = reader.offset();
  const auto count = reader.number<std::uint32_t>("a tensor's number of dimensions");
  if (count > tensor.dims.size()) {
    return reader.fail_at(at, fmt::format("tensor {} has {} dimensions; a tensor has at most {}", quote(tensor.name),
                                          count, tensor.dims.size()));
  }
  std::int64_t weights = 1;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint64_t dim_at = reader.offset();
    const auto dim = reader.number<std::int64_t>("a dimension");
    if (reader.ok() && dim <= 0) {
      return reader.fail_at(dim_at, fmt::format("tensor {} has a dimension of {}", quote(tensor.name), dim));
    }
    if (__builtin_mul_overflow(weights, dim, &weights)) {
      return reader.fail_at(
          dim_at,
          fmt::format("the dimensions of tensor {} multiply to more weights than 64 bits count", quote(tensor.name)));
    }
    tensor.dims[i] = dim;
  }
}

void read_tensors(GgufReader& reader, std::uint64_t count, GgufHeader& header) {
  for (std::uint64_t i = 0; i < count && reader.ok(); ++i) {
    GgufTensor tensor;
    tensor.header_offset = reader.offset();
    tensor.name = reader.text("a tensor's name", kMaxGgufTensorNameBytes, kMaxGgufTensorNameBytes);
    if (tensor.name.empty()) reader.fail_at(tensor.header_offset, "a tensor with an empty name");
    read_dims(reader, tensor);
    tensor.type = reader.number<std::uint32_t>("a tensor's type");
    tensor.offset = reader.number<std::uint64_t>("a tensor's offset");
    header.tensors.push_back(std::move(tensor));
  }
}

template <class Item>
std::vector<std::uint32_t> sort_by_name(const std::deque<Item>& items) {
  std::vector<std::uint32_t> order(items.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const int names = items[a].name.compare(items[b].name);
    return names != 0 ? names < 0 : a < b;
  });
  return order;
}

// The second of two items of one name.
template <class Item>
const Item* find_repeated(const std::deque<Item>& items, const std::vector<std::uint32_t>& order) {
  const auto twice = std::adjacent_find(
      order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return items[a].name == items[b].name; });
  return twice == order.end() ? nullptr : &items[*std::next(twice)];
}

void read_alignment(GgufReader& reader, GgufHeader& header) {
  const GgufKey* key = header.find("general.alignment");
  if (key == nullptr) return;
  const double* value = std::get_if<double>(&key->value);
  const bool possible = value != nullptr && *value >= 8 && *value <= kMaxGgufAlignment;
  const auto alignment = possible ? static_cast<std::uint64_t>(*value) : 0;
  if (alignment == 0 || (alignment & (alignment - 1)) != 0) {
    const std::string is = value == nullptr ? "is no number" : fmt::format("is {}", *value);
    return reader.fail_at(key->offset, fmt::format("general.alignment {}; it must be a power of two from 8 to {}", is,
                                                   kMaxGgufAlignment));
  }
  header.alignment = alignment;
}

void refuse_repeated(GgufReader& reader, GgufHeader& header) {
  header.keys_by_name = sort_by_name(header.keys);
  if (const GgufKey* key = find_repeated(header.keys, header.keys_by_name)) {
    reader.fail_at(key->offset, fmt::format("the key {} stands in the header twice", quote(key->name)));
  }
  if (const GgufTensor* tensor = find_repeated(header.tensors, sort_by_name(header.tensors))) {
    reader.fail_at(tensor->header_offset, fmt::format("the tensor {} stands in the header twice", quote(tensor->name)));
  }
}

}  // namespace

const GgufKey* GgufHeader::find(std::string_view key) const {
  const auto found = std::lower_bound(keys_by_name.begin(), keys_by_name.end(), key,
                                      [&](std::uint32_t i, std::string_view name) { return keys[i].name < name; });
  return found == keys_by_name.end() || keys[*found].name != key ? nullptr : &keys[*found];
}

std::vector<GgufTypeCount> count_types(const GgufHeader& header) {
  std::map<std::uint32_t, GgufTypeCount> by_type;
  for (const GgufTensor& tensor : header.tensors) {
    GgufTypeCount& count = by_type[tensor.type];
    ++count.tensors;
    count.bytes += tensor.bytes;
  }
  std::vector<GgufTypeCount> counts;
  for (auto& [id, count] : by_type) {
    const GgufType* type = find_gguf_type(id);
    count.name = type != nullptr ? std::string(type->name) : fmt::format("type {}", id);
    counts.push_back(std::move(count));
  }
  std::stable_sort(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.bytes > b.bytes; });
  return counts;
}

Result<GgufHeader> parse_gguf_header(ByteReader& bytes, Diagnostics& warnings) {
  GgufHeader header;
  header.file = bytes.name();
  header.file_size = bytes.size();
  GgufReader reader(bytes);
  check_magic(bytes, reader);
  header.version = read_version(reader);
  const std::uint64_t tensors = read_count(reader, "the number of tensors", kMaxGgufTensors);
  const std::uint64_t keys = read_count(reader, "the number of keys", kMaxGgufKeys);
  read_keys(reader, keys, header);
  read_tensors(reader, tensors, header);
  if (reader.ok()) refuse_repeated(reader, header);
  if (reader.ok()) read_alignment(reader, header);
  if (reader.ok()) {
    header.data_offset = (reader.offset() + header.alignment - 1) / header.alignment * header.alignment;
    lay_out_tensors(header, reader, warnings);
  }
  if (!reader.ok()) return fail(Diagnostics{reader.fault()});
  return header;
}

Result<GgufHeader> read_gguf_header(const std::string& path, Diagnostics& warnings) {
  Result<ByteReader> bytes = ByteReader::open(path);
  if (!bytes) return fail(bytes.error());
  return parse_gguf_header(*bytes, warnings);
}

}  // namespace oblea
