// JsonDocument: a parsed JSON text in which every value knows its place, so that any fault can point at it.
//
// Stricter than plain JSON: a key twice in one object, nesting past kMaxJsonDepth and numbers past a double's range are
// faults.
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
  std::size_t length = 1;           // bytes

  // The member with this key, or nullptr.
  const JsonValue* find(std::string_view key) const;
};

struct JsonMember {
  std::string key;
  std::size_t key_offset = 0;
  JsonValue value;
};

std::string_view kind_name(JsonValue::Kind kind);

// The text of a document may come from several places: its file, the files that it extends, the command line. They
// stand one after the other, so that one offset names any of them.
class JsonDocument {
 public:
  // `file` is only a name for messages. Errors: syntax, duplicate keys, depth, size (kMaxInputBytes, kMaxJsonValues).
  static Result<JsonDocument> parse(std::string text, std::string file);

  // The same for files that other programs wrote and Python reads: NaN, Infinity and -Infinity count as 0, of a key
  // that appears twice the last value counts, each with a warning; a byte order mark is skipped.
  static Result<JsonDocument> parse_lenient(std::string text, std::string file, Diagnostics& warnings);

  const JsonValue& root() const { return root_; }
  const std::string& file() const { return segments_.front().file; }

  SourcePlace place(std::size_t offset, std::size_t length = 1) const;
  // Of an array or object only the opening bracket.
  SourcePlace place(const JsonValue& value) const {
    const bool container = value.kind == JsonValue::Kind::array || value.kind == JsonValue::Kind::object;
    return place(value.offset, container ? 1 : value.length);
  }

  // The text of a value as written.
  std::string text_of(const JsonValue& value) const { return text_.substr(value.offset, value.length); }

  // Sets a value by path ("cluster.nodes.0.nic"), making objects on the way, at most kMaxJsonDepth deep; list entries
  // must exist (or be the next one). `value` is JSON ("3", "[1, 2]") or, when it is not, taken as a string (3500 EUR).
  // `origin` is how the user wrote it
  // ("--budget 3500 EUR") and stands in messages in place of a file's line.
  Result<bool> set(std::string_view path, const std::string& value, const std::string& origin);

  // Fills in what this document does not say: members of objects, recursively; anything else here wins over the base.
  void extend(const JsonDocument& base);

  // All of the text, for content hashes.
  const std::string& all_text() const { return text_; }

 private:
  struct Segment {
    std::size_t start = 0;
    std::string file;
  };
  JsonDocument(std::string text, std::string file) : text_(std::move(text)), segments_({{0, std::move(file)}}) {
    note_lines(0);
  }
  // Parses `readable`, a copy of text_ of the same length; faults go to `faults`, and keys that appear twice to
  // `repeated`, or to `faults` without one.
  void build(const std::string& readable, Diagnostics& faults, Diagnostics* repeated);
  std::size_t append(const std::string& text, std::string file);
  void note_lines(std::size_t start);  // of the segment that starts here and ends with the text

  std::string text_;
  std::vector<Segment> segments_;
  std::vector<std::size_t> line_starts_;
  JsonValue root_;
};

}  // namespace oblea
