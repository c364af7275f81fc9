#include "io/text_file.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>

#include <fmt/core.h>

namespace oblea {
namespace {

tl::unexpected<Diagnostics> fail_at(const std::string& path, const std::string& message, const std::string& hint = "") {
  Diagnostic fault;
  fault.place.file = path;
  fault.message = message;
  fault.hint = hint;
  return fail(Diagnostics{fault});
}

// Closes on every way out.
class File {
 public:
  explicit File(int descriptor) : descriptor_(descriptor) {}
  ~File() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

bool write_all(int descriptor, const std::string& text) {
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t n = ::write(descriptor, text.data() + written, text.size() - written);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    written += static_cast<std::size_t>(n);
  }
  return true;
}

}  // namespace

Result<std::string> read_text_file(const std::string& path, std::size_t limit) {
  const File file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.descriptor() < 0) return fail_at(path, fmt::format("cannot open: {}", std::strerror(errno)));
  struct stat status {};
  if (::fstat(file.descriptor(), &status) != 0) return fail_at(path, std::strerror(errno));
  if (S_ISDIR(status.st_mode)) return fail_at(path, "is a directory, not a file");
  const auto too_large = [&](std::size_t size) {
    return fail_at(path, fmt::format("file of {} bytes or more; the limit is {}", size, limit));
  };
  if (S_ISREG(status.st_mode) && static_cast<std::size_t>(status.st_size) > limit) {
    return too_large(static_cast<std::size_t>(status.st_size));
  }
  std::string text;
  char buffer[1 << 16];
  for (;;) {
    const ssize_t n = ::read(file.descriptor(), buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) {  // a pipe whose writer has not written yet: /dev/stdin, <(command)
      pollfd waiting{file.descriptor(), POLLIN, 0};
      ::poll(&waiting, 1, -1);
      continue;
    }
    if (n < 0) return fail_at(path, fmt::format("cannot read: {}", std::strerror(errno)));
    if (n == 0) return text;
    text.append(buffer, static_cast<std::size_t>(n));
    if (text.size() > limit) return too_large(text.size());
  }
}

Result<bool> write_text_file(const std::string& path, const std::string& text) {
  struct stat status {};
  const bool special = ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
  // A device such as /dev/stdout cannot be renamed over: write straight into it.
  const std::string target = special ? path : fmt::format("{}.{}.tmp", path, ::getpid());
  const int flags = special ? O_WRONLY | O_CLOEXEC : O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC;
  const auto failed = [&](const char* step) {
    const std::string reason = std::strerror(errno);
    if (!special) ::unlink(target.c_str());
    return fail_at(path, fmt::format("cannot {}: {}", step, reason), "nothing was changed");
  };
  {
    const File file(::open(target.c_str(), flags, 0644));
    if (file.descriptor() < 0) return failed("create");
    if (!write_all(file.descriptor(), text)) return failed("write");
    if (!special && ::fsync(file.descriptor()) != 0) return failed("sync");
  }
  if (!special && ::rename(target.c_str(), path.c_str()) != 0) return failed("rename");
  return true;
}

Result<std::vector<std::string>> list_json_files(const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code error;
  std::vector<std::string> paths;
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const fs::path& path = it->path();
    if (it->is_directory() && path.filename() == "schemas") {
      it.disable_recursion_pending();
    } else if (path.extension() == ".json") {
      paths.push_back(path.string());
    }
  }
  if (error) return fail_at(folder, fmt::format("cannot list: {}", error.message()));
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::string day_written(const std::string& path) {
  struct stat status {};
  std::tm day{};
  if (::stat(path.c_str(), &status) != 0 || ::gmtime_r(&status.st_mtime, &day) == nullptr) return "unknown";
  return fmt::format("{:04}-{:02}-{:02}", day.tm_year + 1900, day.tm_mon + 1, day.tm_mday);
}

}  // namespace oblea
