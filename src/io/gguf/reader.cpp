#include "io/gguf/reader.hpp"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

namespace oblea {

void GgufReader::fail_at(std::uint64_t offset, const std::string& message, std::string hint) {
  if (!ok_) return;
  ok_ = false;
  fault_.place.file = bytes_.name();
  fault_.message = fmt::format("at byte {}: {}", offset, message);
  fault_.hint = std::move(hint);
}

void GgufReader::cut(const char* what, std::uint64_t needed) {
  if (!bytes_.trouble().empty()) return fail_at(offset(), fmt::format("cannot read {}: {}", what, bytes_.trouble()));
  fail_at(offset(), fmt::format("the file ends inside {}: {} bytes are needed, {} are left", what, needed, remaining()),
          "the header itself is incomplete: download the file again");
}

std::string GgufReader::text(const char* what, std::uint64_t limit, std::size_t kept) {
  const std::uint64_t start = offset();
  const auto length = number<std::uint64_t>(what);
  if (!ok_) return {};
  if (length > remaining()) {
    fail_at(start, fmt::format("{} declares {} bytes, but only {} are left", what, length, remaining()));
    return {};
  }
  if (length > limit) {
    fail_at(start, fmt::format("{} declares {} bytes; the limit is {}", what, length, limit));
    return {};
  }
  std::string text(static_cast<std::size_t>(std::min<std::uint64_t>(length, kept)), '\0');
  if (!bytes_.read(text.data(), text.size()) || !bytes_.skip(length - text.size())) cut(what, length);
  return text;
}

void GgufReader::skip(const char* what, std::uint64_t count) {
  if (ok_ && !bytes_.skip(count)) cut(what, count);
}

}  // namespace oblea
