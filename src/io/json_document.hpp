// JsonDocument: a parsed JSON text in which every value knows its place, so that any fault can point at it.
//
// Stricter than plain JSON: a key twice in one object, nesting past kMaxJsonDepth and NaN are faults.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace oblea {

struct JsonMember;

struct JsonValue {
  enum class Kind { null, boolean, number, string, array, object };
  Kind kind = Kind::null;
  bool boolean = false;
  double number = 0;
  std::string text;                 // of a string
  std::vector<JsonValue> items;     // of an array
  std::vector<JsonMember> members;  // of an object, in the file's order
  std::size_t offset = 0;           // first byte in the file
  std::size_t length = 1;           // bytes; for arrays and objects the opening bracket only

  // The member with this key, or nullptr.
  const JsonValue* find(std::string_view key) const;
};

struct JsonMember {
  std::string key;
  std::size_t key_offset = 0;
  JsonValue value;
};

std::string_view kind_name(JsonValue::Kind kind);

class JsonDocument {
 public:
  // `file` is only a name for messages. Errors: syntax, duplicate keys, depth, size (kMaxInputBytes, kMaxJsonValues).
  static Result<JsonDocument> parse(std::string text, std::string file);

  const JsonValue& root() const { return root_; }
  const std::string& file() const { return file_; }
  const std::string& text() const { return text_; }

  SourcePlace place(std::size_t offset, std::size_t length = 1) const;
  SourcePlace place(const JsonValue& value) const { return place(value.offset, value.length); }

 private:
  JsonDocument(std::string text, std::string file) : text_(std::move(text)), file_(std::move(file)) {}
  std::string text_;
  std::string file_;
  JsonValue root_;
};

}  // namespace oblea
