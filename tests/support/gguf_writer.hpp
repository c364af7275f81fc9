// GgufWriter: GGUF files of our own making for tests: well-formed ones, and the bytes to make broken ones.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace oblea::test {

// Bytes as GGUF writes them: little-endian numbers, texts behind a 64-bit length.
std::string u32(std::uint32_t value);
std::string u64(std::uint64_t value);
std::string gguf_text(std::string_view text);

// "GGUF", version, number of tensors, number of keys.
std::string gguf_start(std::uint64_t tensors, std::uint64_t keys, std::uint32_t version = 3);

// Types of values and tensors, as numbers of the format.
enum : std::uint32_t { kU8, kI8, kU16, kI16, kU32, kI32, kF32Value, kBool, kText, kArray, kU64, kI64, kF64 };
enum : std::uint32_t { kF32 = 0, kF16 = 1, kQ4_0 = 2, kQ8_0 = 8, kQ4_K = 12, kQ6_K = 14, kBF16 = 30, kMxfp4 = 39 };

class GgufWriter {
 public:
  // The architecture is the prefix of keys that begin with a dot: ".block_count" is "llama.block_count".
  explicit GgufWriter(std::string architecture, std::uint32_t version = 3);

  GgufWriter& number(const std::string& key, std::uint32_t value);
  GgufWriter& text(const std::string& key, std::string_view value);
  GgufWriter& truth(const std::string& key, bool value);
  GgufWriter& numbers(const std::string& key, const std::vector<std::int32_t>& values);
  GgufWriter& truths(const std::string& key, const std::vector<bool>& values);
  GgufWriter& texts(const std::string& key, std::size_t count, std::string_view each);
  GgufWriter& raw(const std::string& key, std::uint32_t type, const std::string& bytes);

  // Laid out behind the one before. `bytes` of a type that the writer does not know.
  GgufWriter& tensor(const std::string& name, const std::vector<std::uint64_t>& dims, std::uint32_t type = kF16,
                     std::uint64_t bytes = 0);
  GgufWriter& remove(const std::string& key);

  std::uint64_t data_bytes() const { return data_end_; }
  std::string header() const;                            // up to where the data start
  std::string bytes() const;                             // with data of zeros
  std::string write(const std::string& path) const;      // with data as a hole, whatever their size; the path again
  std::string write_cut(const std::string& path) const;  // the header alone

 private:
  std::string full(const std::string& key) const { return key.front() == '.' ? architecture_ + key : key; }

  std::string architecture_;
  std::uint32_t version_;
  std::vector<std::pair<std::string, std::string>> keys_;  // whole name; type and value
  std::string tensors_;
  std::uint64_t tensor_count_ = 0;
  std::uint64_t data_end_ = 0;
};

}  // namespace oblea::test
