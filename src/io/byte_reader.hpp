// ByteReader: a window that moves forward over a file or over bytes in memory. It stays small whatever the file's size.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace oblea {

class ByteReader {
 public:
  // Errors: missing, unreadable, a directory, a pipe.
  static Result<ByteReader> open(const std::string& path);

  // Of bytes that outlive the reader; `name` stands in messages.
  ByteReader(std::string_view bytes, std::string name);

  ByteReader(ByteReader&& other) noexcept;
  ByteReader& operator=(ByteReader&& other) noexcept;
  ByteReader(const ByteReader&) = delete;
  ByteReader& operator=(const ByteReader&) = delete;
  ~ByteReader();

  const std::string& name() const { return name_; }
  std::uint64_t size() const { return size_; }
  std::uint64_t offset() const { return offset_; }
  std::uint64_t remaining() const { return size_ - offset_; }

  // The next bytes. False, and nothing is taken, where fewer remain or the disk fails (then `trouble` says why).
  bool read(void* target, std::size_t count);
  bool skip(std::uint64_t count);
  std::string peek(std::size_t count);  // fewer where fewer remain; taken by nothing
  const std::string& trouble() const { return trouble_; }

 private:
  ByteReader(int descriptor, std::uint64_t size, std::string name);
  bool fill();  // moves the window to the offset
  std::uint64_t window_end() const { return window_start_ + window_.size(); }

  int descriptor_ = -1;
  std::uint64_t size_ = 0;
  std::uint64_t offset_ = 0;
  std::string name_;
  std::string trouble_;
  std::vector<char> buffer_;  // of a file
  std::string_view window_;
  std::uint64_t window_start_ = 0;
};

}  // namespace oblea
