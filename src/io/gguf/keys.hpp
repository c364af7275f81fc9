// GgufKeys: the keys of a header as geometry is asked of them, with the user's overrides on top.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "io/gguf/header.hpp"
#include "io/import_model.hpp"

namespace oblea {

// A key without a prefix ("block_count") is the architecture's own and stands in the file as "llama.block_count".
class GgufKeys {
 public:
  GgufKeys(const GgufHeader& header, const std::vector<KeyOverride>& overrides);

  const std::string& architecture() const { return architecture_; }
  std::string full_name(std::string_view key) const;

  // By whole name. nullopt where the key is absent or of another kind.
  std::optional<std::string> text(const std::string& name);
  std::optional<double> plain_number(const std::string& name);
  std::optional<bool> truth(const std::string& name);

  // A whole number from 0 to kMaxGgufWidth of the architecture, or the first of an array that holds only one value.
  // Anything else is a fault.
  std::optional<std::int64_t> integer(std::string_view key);

  // One number a layer: an array of at least `layers` (whole, from 0), or one number for all of them. Empty: absent.
  // A fault: anything else.
  std::vector<std::int64_t> per_layer(std::string_view key, int layers);

  // The value as it stands, nullptr when absent.
  const GgufValue* value(std::string_view key);
  bool has(std::string_view key) { return value(key) != nullptr; }

  // Geometry that neither key nor tensor says. Named once, with the flag that gives it.
  void missing(std::string_view key, const std::string& what, const std::string& example);

  void fault(std::string message, std::string hint = {});
  // Once a message, or once a `topic` where the message differs from layer to layer.
  void warn(const std::string& message, std::string hint = {}, const std::string& topic = {});
  // The tensors of a layer count another number than its key says. They win.
  void warn_of_tensors(std::string_view key, std::int64_t said, std::int64_t counted, int layer);
  // `value` as an int; a fault where it is beyond kMaxGgufWidth.
  int width(std::int64_t value, std::string_view what);
  // Overrides that no question asked for.
  void warn_of_unused();

  Diagnostics& faults() { return faults_; }
  Diagnostics& warnings() { return warnings_; }

 private:
  struct Override {
    GgufValue value;
    std::string origin;
    bool used = false;
  };
  const GgufValue* find(const std::string& name);
  std::string place_of(const std::string& name) const;
  std::optional<std::int64_t> whole(double value, const std::string& name);

  const GgufHeader& header_;
  std::string architecture_;
  std::map<std::string, Override> overrides_;
  std::set<std::string> said_;
  Diagnostics faults_;
  Diagnostics warnings_;
};

}  // namespace oblea
