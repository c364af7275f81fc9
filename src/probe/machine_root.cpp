#include "probe/machine_root.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "base/printable.hpp"

namespace oblea {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxBytes = 4u << 20;  // /proc/cpuinfo of a thousand threads has 1.5 MB

std::string trim(std::string text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\0'; };
  while (!text.empty() && blank(text.back())) text.pop_back();
  const auto first = std::find_if_not(text.begin(), text.end(), blank);
  text.erase(text.begin(), first);
  return text;
}

}  // namespace

std::optional<std::string> MachineRoot::bytes(const std::string& path) const {
  // Without blocking: a pipe that somebody put there must not hang us.
  const int file = ::open((folder_ + path).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return std::nullopt;
  std::string text;
  char block[16384];
  ssize_t size = 0;
  while (text.size() < kMaxBytes && (size = ::read(file, block, sizeof block)) > 0) {
    text.append(block, static_cast<std::size_t>(size));
  }
  ::close(file);
  if (size < 0) return std::nullopt;
  if (text.size() > kMaxBytes) text.resize(kMaxBytes);
  return text;
}

std::optional<std::string> MachineRoot::text(const std::string& path) const {
  std::optional<std::string> raw = bytes(path);
  if (!raw) return raw;
  std::istringstream lines(*raw);
  std::string shown;
  for (std::string line; std::getline(lines, line);) shown += printable(trim(line)) + "\n";
  return shown;
}

std::string MachineRoot::line(const std::string& path) const {
  const std::optional<std::string> all = text(path);
  return all ? trim(all->substr(0, all->find('\n'))) : "";
}

std::optional<double> MachineRoot::number(const std::string& path) const {
  const std::string written = line(path);
  char* end = nullptr;
  const double value = std::strtod(written.c_str(), &end);
  if (end == written.c_str() || !(value == value)) return std::nullopt;
  return value;
}

std::vector<std::string> MachineRoot::entries(const std::string& folder) const {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(folder_ + folder, error), end; !error && entry != end; entry.increment(error)) {
    names.push_back(entry->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool MachineRoot::exists(const std::string& path) const {
  std::error_code error;
  return fs::exists(folder_ + path, error);
}

bool MachineRoot::denied(const std::string& path) const {
  return ::access((folder_ + path).c_str(), R_OK) != 0 && errno == EACCES;
}

std::string MachineRoot::resolve(const std::string& path) const {
  std::error_code error;
  const std::string root = fs::canonical(folder_, error).string();
  if (error) return "";
  const std::string real = fs::canonical(folder_ + path, error).string();
  if (error) return "";
  const std::string start = root == "/" ? "" : root;
  return real.starts_with(start + "/") ? real.substr(start.size()) : "";
}

std::string value_of_key(const std::string& text, const std::string& key) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t mark = line.find_first_of(":=");
    if (mark == std::string::npos || trim(line.substr(0, mark)) != key) continue;
    std::string value = trim(line.substr(mark + 1));
    if (value.size() >= 2 && value.front() == '"' && value.back() == '"') value = value.substr(1, value.size() - 2);
    return value;
  }
  return "";
}

}  // namespace oblea
