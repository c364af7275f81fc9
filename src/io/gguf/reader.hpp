// GgufReader: the little-endian numbers and texts of a GGUF header, each length held against what is left of the file.
#pragma once

#include <bit>
#include <cstdint>
#include <string>

#include "io/byte_reader.hpp"

namespace oblea {

static_assert(std::endian::native == std::endian::little, "numbers are copied as GGUF stores them");

// Nothing after a fault can be trusted, so the first one is kept and every later read gives zero.
class GgufReader {
 public:
  explicit GgufReader(ByteReader& bytes) : bytes_(bytes) {}

  bool ok() const { return ok_; }
  std::uint64_t offset() const { return bytes_.offset(); }
  std::uint64_t remaining() const { return bytes_.remaining(); }
  const Diagnostic& fault() const { return fault_; }

  // Sets the fault unless there is one. The message gets the place in words: "at byte 24: ...".
  void fail_at(std::uint64_t offset, const std::string& message, std::string hint = {});

  template <class T>
  T number(const char* what) {
    T value{};
    if (ok_ && !bytes_.read(&value, sizeof value)) cut(what, sizeof value);
    return value;
  }

  // A 64-bit length and so many bytes, of which the first `kept` are returned. Faults: longer than what is left, or
  // than `limit`.
  std::string text(const char* what, std::uint64_t limit, std::size_t kept);

  void skip(const char* what, std::uint64_t count);

 private:
  void cut(const char* what, std::uint64_t needed);

  ByteReader& bytes_;
  bool ok_ = true;
  Diagnostic fault_;
};

}  // namespace oblea
