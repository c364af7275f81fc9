// GgufHeader: what stands before the data of a GGUF file: keys with their values, and the list of tensors.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "io/byte_reader.hpp"
#include "io/gguf/value.hpp"

namespace oblea {

struct GgufKey {
  std::string name;
  GgufValue value;
  std::uint64_t offset = 0;  // of the value, in the file
};

struct GgufTensor {
  std::string name;
  std::array<std::int64_t, 4> dims{1, 1, 1, 1};  // the first runs fastest: [columns, rows, matrices]
  std::uint32_t type = 0;
  std::uint64_t offset = 0;  // of its data, after GgufHeader::data_offset
  std::uint64_t bytes = 0;
  std::uint64_t header_offset = 0;  // of its entry, in the file

  std::int64_t weights() const { return dims[0] * dims[1] * dims[2] * dims[3]; }
};

struct GgufHeader {
  std::string file;
  std::uint32_t version = 0;
  std::uint64_t alignment = 32;
  std::uint64_t data_offset = 0;
  std::uint64_t file_size = 0;
  std::uint64_t missing_bytes = 0;  // of data that the header declares and the file does not hold
  std::deque<GgufKey> keys;         // as the file orders them; no allocation is large, whatever their number
  std::deque<GgufTensor> tensors;
  std::vector<std::uint32_t> keys_by_name;

  const GgufKey* find(std::string_view key) const;
};

// "Q4_K", "F32", ... with tensors and bytes, most bytes first.
struct GgufTypeCount {
  std::string name;
  std::size_t tensors = 0;
  std::uint64_t bytes = 0;
};
std::vector<GgufTypeCount> count_types(const GgufHeader& header);

// Reads versions 2 and 3, little-endian. Takes what the header holds, never the data behind it; sets nothing aside that
// is longer than the file plus 64 KiB. A file whose data are cut short is read, with a warning. Errors: one, with the
// byte at which it stands.
Result<GgufHeader> parse_gguf_header(ByteReader& bytes, Diagnostics& warnings);

Result<GgufHeader> read_gguf_header(const std::string& path, Diagnostics& warnings);

}  // namespace oblea
