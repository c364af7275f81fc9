// MachineRoot: the files below one folder in which a running Linux tells about itself ("/", or a copy of it in a test).
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace oblea {

class MachineRoot {
 public:
  explicit MachineRoot(std::string folder) : folder_(std::move(folder)) {}

  // True for the machine that this program runs on.
  bool is_here() const { return folder_ == "/"; }

  // A file's text, at most 4 MiB, control bytes but line ends as '?'. Nothing where it is absent or does not let itself
  // be read: the kernel answers for an unplugged cable with an error, not with an empty file.
  std::optional<std::string> text(const std::string& path) const;

  // A file's bytes as they are, at most 4 MiB.
  std::optional<std::string> bytes(const std::string& path) const;

  // Its first line without surrounding spaces and zeros; "" as above.
  std::string line(const std::string& path) const;

  // The number that a line starts with, hexadecimal after "0x".
  std::optional<double> number(const std::string& path) const;

  std::vector<std::string> entries(const std::string& folder) const;  // names, sorted
  bool exists(const std::string& path) const;
  bool denied(const std::string& path) const;  // there, but not for this user

  // Where a path leads once its links are followed, below this root: "/sys/devices/..."; "" where it leads out or
  // nowhere.
  std::string resolve(const std::string& path) const;

 private:
  std::string folder_;
};

// The value after "key:" or "key=" in a text of such lines; "" where there is none. Quotes around it are taken off.
std::string value_of_key(const std::string& text, const std::string& key);

}  // namespace oblea
