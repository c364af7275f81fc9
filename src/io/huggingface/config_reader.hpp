// ConfigReader: looks a key of a Hugging Face config.json up under all of its names, in the language model's own block
// first and then in what surrounds it.
//
// null counts as absent, and so does 0 where a size is asked for. What was asked for is remembered, so that an override
// that nobody read can be reported. Faults and warnings are noted once, however many layers meet them.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostic.hpp"
#include "io/json_document.hpp"

namespace oblea {

// One thing under its names, the usual one first; a name may be a path ("attn_config.kv_n_heads").
struct ConfigKey {
  std::string_view what;  // "number of attention heads"
  std::vector<std::string_view> names;
};

// What transformers' class of a model type fills in for a nested block that leaves the key out.
struct ClassDefault {
  std::string_view model_type;
  std::string_view key;
  std::int64_t value;
};

class ConfigReader {
 public:
  // `blocks` from the innermost to the top of the file.
  ConfigReader(const JsonDocument& document, std::vector<const JsonValue*> blocks, Diagnostics& diagnostics);

  // The value, or nullptr. `absent_if_zero` also passes over 0 and looks for the next name.
  const JsonValue* find(const ConfigKey& key, bool absent_if_zero = false);
  const JsonValue* find_path(std::string_view path);  // in any block
  bool has(const ConfigKey& key) { return find(key, true) != nullptr; }

  // A size from 1 up; 0 when absent, or when the value is a list.
  std::int64_t size(const ConfigKey& key);
  // The same; absent is a fault that names every alias.
  std::int64_t required_size(const ConfigKey& key);
  // Of a layer: from a list the entry of that index, else as size().
  std::int64_t layer_size(const ConfigKey& key, std::size_t index, bool required = false);
  double number(const ConfigKey& key);  // 0 when absent; at most 2^24 either way
  std::optional<bool> flag(const ConfigKey& key);
  bool flag_or(const ConfigKey& key, bool otherwise) { return flag(key).value_or(otherwise); }
  std::string text(const ConfigKey& key);
  std::vector<std::int64_t> integers(const ConfigKey& key);  // empty when absent or no list
  std::vector<std::string> texts(const ConfigKey& key);

  // Fills in for keys that nested blocks leave out; each use is a warning.
  void use_defaults(std::string_view model_type, const std::vector<ClassDefault>& defaults);

  void fault(const JsonValue* at, std::string message, std::string hint = {});
  void warn(const JsonValue* at, std::string message, std::string hint = {});
  bool was_read(const JsonValue& value) const { return read_.count(&value) > 0; }
  const std::vector<std::string>& asked() const { return asked_; }
  const std::vector<const JsonValue*>& blocks() const { return blocks_; }
  const JsonDocument& document() const { return document_; }

 private:
  void note(Severity severity, const JsonValue* at, std::string message, std::string hint);
  std::int64_t to_size(const JsonValue& value, const ConfigKey& key);
  std::int64_t default_size(const ConfigKey& key);

  const JsonDocument& document_;
  std::vector<const JsonValue*> blocks_;
  Diagnostics& diagnostics_;
  std::string model_type_;
  std::vector<ClassDefault> defaults_;
  std::set<const JsonValue*> read_;
  std::set<std::pair<std::size_t, std::string>> noted_;
  std::vector<std::string> asked_;
};

// The members that a path with dots goes through, the last one at the end; empty where it leads nowhere.
std::vector<const JsonValue*> resolve_path(const JsonValue& from, std::string_view path);

}  // namespace oblea
