#include "io/byte_reader.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/core.h>

namespace oblea {
namespace {

constexpr std::size_t kWindowBytes = 64 * 1024;

tl::unexpected<Diagnostics> fail_at(const std::string& path, std::string message) {
  Diagnostic fault;
  fault.place.file = path;
  fault.message = std::move(message);
  return fail(Diagnostics{fault});
}

}  // namespace

Result<ByteReader> ByteReader::open(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return fail_at(path, fmt::format("cannot open: {}", std::strerror(errno)));
  struct stat status {};
  const bool known = ::fstat(descriptor, &status) == 0;
  const std::string reason = known ? "" : std::strerror(errno);
  ByteReader reader(descriptor, known ? static_cast<std::uint64_t>(status.st_size) : 0, path);
  if (!known) return fail_at(path, reason);
  if (S_ISDIR(status.st_mode)) return fail_at(path, "is a directory, not a file");
  if (!S_ISREG(status.st_mode)) return fail_at(path, "is no regular file; its size must be known before it is read");
  return reader;
}

ByteReader::ByteReader(std::string_view bytes, std::string name)
    : size_(bytes.size()), name_(std::move(name)), window_(bytes) {}

ByteReader::ByteReader(int descriptor, std::uint64_t size, std::string name)
    : descriptor_(descriptor), size_(size), name_(std::move(name)) {}

ByteReader::ByteReader(ByteReader&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      size_(other.size_),
      offset_(other.offset_),
      name_(std::move(other.name_)),
      trouble_(std::move(other.trouble_)),
      buffer_(std::move(other.buffer_)),
      window_(std::exchange(other.window_, {})),
      window_start_(other.window_start_) {}

ByteReader& ByteReader::operator=(ByteReader&& other) noexcept {
  if (this == &other) return *this;
  std::swap(descriptor_, other.descriptor_);
  std::swap(size_, other.size_);
  std::swap(offset_, other.offset_);
  std::swap(name_, other.name_);
  std::swap(trouble_, other.trouble_);
  std::swap(buffer_, other.buffer_);
  std::swap(window_, other.window_);
  std::swap(window_start_, other.window_start_);
  return *this;
}

ByteReader::~ByteReader() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool ByteReader::fill() {
  if (descriptor_ < 0) return false;
  buffer_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kWindowBytes, remaining())));
  ssize_t got = -1;
  do {
    got = ::pread(descriptor_, buffer_.data(), buffer_.size(), static_cast<off_t>(offset_));
  } while (got < 0 && errno == EINTR);
  if (got <= 0) {
    trouble_ = got == 0 ? "the file became shorter while it was read" : std::strerror(errno);
    return false;
  }
  window_ = std::string_view(buffer_.data(), static_cast<std::size_t>(got));
  window_start_ = offset_;
  return true;
}

bool ByteReader::read(void* target, std::size_t count) {
  if (count > remaining()) return false;
  const std::uint64_t start = offset_;
  char* out = static_cast<char*>(target);
  while (count > 0) {
    if ((offset_ < window_start_ || offset_ >= window_end()) && !fill()) {
      offset_ = start;
      return false;
    }
    const std::size_t at = static_cast<std::size_t>(offset_ - window_start_);
    const std::size_t part = std::min(count, window_.size() - at);
    std::memcpy(out, window_.data() + at, part);
    out += part;
    offset_ += part;
    count -= part;
  }
  return true;
}

std::string ByteReader::peek(std::size_t count) {
  const std::uint64_t start = offset_;
  std::string bytes(static_cast<std::size_t>(std::min<std::uint64_t>(count, remaining())), '\0');
  if (!read(bytes.data(), bytes.size())) bytes.clear();
  offset_ = start;
  return bytes;
}

bool ByteReader::skip(std::uint64_t count) {
  if (count > remaining()) return false;
  offset_ += count;
  return true;
}

}  // namespace oblea
