#include "io/json_document.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/limits.hpp"
#include "base/printable.hpp"

namespace oblea {
namespace {

// Reads the text and counts what has been read, which tells a SAX event where it happened.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, std::size_t* count) : at_(at), count_(count) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    ++at_;
    ++*count_;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator old = *this;
    ++*this;
    return old;
  }
  friend bool operator==(const CountingIterator& a, const CountingIterator& b) { return a.at_ == b.at_; }
  friend bool operator!=(const CountingIterator& a, const CountingIterator& b) { return a.at_ != b.at_; }

 private:
  const char* at_;
  std::size_t* count_;
};

bool is_separator(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ',' || c == ':'; }

bool is_number_character(char c) {
  return (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.' || c == 'e' || c == 'E';
}

struct Fault {
  std::size_t offset;
  std::size_t length;
  std::string message;
  std::string hint;
};

// Builds the tree from SAX events. Stops at the first syntax error; collects duplicate keys and goes on.
class TreeBuilder : public nlohmann::json_sax<nlohmann::json> {
 public:
  TreeBuilder(const std::string& text, JsonValue& root, const std::size_t& consumed)
      : text_(text), root_(root), consumed_(consumed) {}

  std::vector<Fault> faults;
  std::vector<Fault> repeated_keys;  // of each the last value counts, if nobody takes them for faults

  bool null() override { return add(JsonValue::Kind::null) != nullptr; }
  bool boolean(bool value) override {
    JsonValue* added = add(JsonValue::Kind::boolean);
    if (added != nullptr) added->boolean = value;
    return added != nullptr;
  }
  bool number_integer(number_integer_t value) override { return number(static_cast<double>(value)); }
  bool number_unsigned(number_unsigned_t value) override { return number(static_cast<double>(value)); }
  bool number_float(number_float_t value, const string_t&) override { return number(value); }
  bool string(string_t& value) override {
    JsonValue* added = add(JsonValue::Kind::string);
    if (added != nullptr) added->text = std::move(value);
    return added != nullptr;
  }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(JsonValue::Kind::object); }
  bool end_object() override {
    drop_duplicates(*open_.back());
    return close();
  }
  bool start_array(std::size_t) override { return open(JsonValue::Kind::array); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    const std::size_t start = token_start();
    open_.back()->members.push_back({std::move(name), start, {}});
    last_end_ = consumed_;
    return true;
  }
  bool parse_error(std::size_t position, const std::string& token, const nlohmann::detail::exception& error) override {
    if (dynamic_cast<const nlohmann::detail::out_of_range*>(&error) != nullptr) {
      faults.push_back({token_start(), token.size(), fmt::format("number out of range: {}", cut_text(token, kQuoted)),
                        "numbers go up to 1.79e308"});
      return false;
    }
    const std::size_t at = std::min(position > 0 ? position - 1 : 0, text_.size());
    faults.push_back({at, 1, describe(error), hint_at(at)});
    return false;
  }

 private:
  static constexpr std::size_t kQuoted = 40;  // bytes of the text repeated in a message

  // nlohmann's text reads "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error while parsing
  // value - invalid literal; last read: 'N'", and what was last read may be the whole file.
  static std::string describe(const nlohmann::detail::exception& error) {
    std::string words = error.what();
    const std::size_t colon = words.find(": ");
    if (colon != std::string::npos) words.erase(0, colon + 2);
    const std::string last_read = "last read: '";
    const std::size_t quote = words.find(last_read);
    const std::size_t close = words.rfind('\'');
    if (quote != std::string::npos && close > quote + last_read.size() + kQuoted) {
      words.replace(quote + last_read.size() + kQuoted, close - quote - last_read.size() - kQuoted, "...");
    }
    return "not valid JSON: " + words;
  }
  // The word around a syntax error is NaN, Infinity or a spelling of theirs.
  std::string hint_at(std::size_t offset) const {
    const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    std::size_t start = std::min(offset, text_.size());
    std::size_t end = start;
    while (start > 0 && offset - start < 10 && is_letter(text_[start - 1])) --start;
    while (end < text_.size() && end - start < 10 && is_letter(text_[end])) ++end;
    std::string word = text_.substr(start, end - start);
    for (char& c : word) c = static_cast<char>(c | 0x20);
    const bool no_number = word == "nan" || word == "inf" || word == "infinity";
    return no_number ? "numbers must be finite; NaN and Infinity are not JSON" : "";
  }

  std::size_t token_start() const {
    std::size_t start = last_end_;
    while (start < text_.size() && is_separator(text_[start])) ++start;
    return start;
  }

  JsonValue* add(JsonValue::Kind kind) {
    if (++count_ > kMaxJsonValues) {
      faults.push_back({token_start(), 1, fmt::format("more than {} values in one file", kMaxJsonValues), ""});
      return nullptr;
    }
    JsonValue* added = &root_;
    if (!open_.empty()) {
      JsonValue& parent = *open_.back();
      if (parent.kind == JsonValue::Kind::array) {
        added = &parent.items.emplace_back();
      } else {
        added = &parent.members.back().value;
      }
    }
    added->kind = kind;
    added->offset = token_start();
    std::size_t end = consumed_;
    if (kind == JsonValue::Kind::number && end > added->offset && !is_number_character(text_[end - 1])) --end;
    added->length = std::max<std::size_t>(1, end - added->offset);
    last_end_ = end;
    return added;
  }
  bool number(double value) {
    JsonValue* added = add(JsonValue::Kind::number);
    if (added != nullptr) added->number = value;
    return added != nullptr;
  }
  bool open(JsonValue::Kind kind) {
    if (open_.size() >= static_cast<std::size_t>(kMaxJsonDepth)) {
      faults.push_back({token_start(), 1, fmt::format("brackets nested deeper than {}", kMaxJsonDepth), ""});
      return false;
    }
    JsonValue* added = add(kind);
    if (added == nullptr) return false;
    open_.push_back(added);
    return true;
  }
  bool close() {
    open_.back()->length = consumed_ - open_.back()->offset;
    open_.pop_back();
    last_end_ = consumed_;
    return true;
  }
  void drop_duplicates(JsonValue& object) {
    std::vector<const JsonMember*> sorted;
    for (const JsonMember& member : object.members) sorted.push_back(&member);
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const JsonMember* a, const JsonMember* b) { return a->key < b->key; });
    std::vector<const JsonMember*> earlier;
    for (std::size_t i = 1; i < sorted.size(); ++i) {
      if (sorted[i]->key != sorted[i - 1]->key) continue;
      earlier.push_back(sorted[i - 1]);
      repeated_keys.push_back({sorted[i]->key_offset, sorted[i]->key.size() + 2,
                               fmt::format("key \"{}\" appears twice in one object", cut_text(sorted[i]->key, kQuoted)),
                               "remove one of the two"});
    }
    if (earlier.empty()) return;
    std::sort(earlier.begin(), earlier.end());
    std::vector<JsonMember> kept;
    for (JsonMember& member : object.members) {
      if (!std::binary_search(earlier.begin(), earlier.end(), &member)) kept.push_back(std::move(member));
    }
    object.members = std::move(kept);
  }

  const std::string& text_;
  JsonValue& root_;
  const std::size_t& consumed_;
  std::vector<JsonValue*> open_;
  std::size_t last_end_ = 0;
  std::size_t count_ = 0;
};

}  // namespace

const JsonValue* JsonValue::find(std::string_view key) const {
  for (const JsonMember& member : members) {
    if (member.key == key) return &member.value;
  }
  return nullptr;
}

std::string_view kind_name(JsonValue::Kind kind) {
  switch (kind) {
    case JsonValue::Kind::null:
      return "null";
    case JsonValue::Kind::boolean:
      return "true or false";
    case JsonValue::Kind::number:
      return "a number";
    case JsonValue::Kind::string:
      return "a string";
    case JsonValue::Kind::array:
      return "a list";
    case JsonValue::Kind::object:
      return "an object";
  }
  return "";
}

SourcePlace JsonDocument::place(std::size_t offset, std::size_t length) const {
  offset = std::min(offset, text_.size());
  std::size_t segment = segments_.size() - 1;
  while (segments_[segment].start > offset) --segment;
  const std::size_t segment_start = segments_[segment].start;
  const std::size_t segment_end = segment + 1 < segments_.size() ? segments_[segment + 1].start : text_.size();
  // Every segment starts a line.
  const auto first_line = std::lower_bound(line_starts_.begin(), line_starts_.end(), segment_start);
  const auto line = std::prev(std::upper_bound(first_line, line_starts_.end(), offset));
  const std::size_t line_start = *line;
  const std::size_t line_end = std::min(text_.find('\n', offset), segment_end);
  SourcePlace place;
  place.file = segments_[segment].file;
  place.line = 1 + static_cast<int>(line - first_line);
  place.column = 1 + static_cast<int>(offset - line_start);
  place.length = static_cast<int>(std::min<std::size_t>(length, 1000));
  // A file in one line: keep what surrounds the fault.
  constexpr std::size_t kKept = 2048;
  const std::size_t from = offset - line_start > kKept ? offset - kKept : line_start;
  place.source_line = text_.substr(from, std::min(line_end - from, 2 * kKept));
  place.cut = static_cast<int>(from - line_start);
  return place;
}

std::size_t JsonDocument::append(const std::string& text, std::string file) {
  text_ += '\n';
  const std::size_t start = text_.size();
  segments_.push_back({start, std::move(file)});
  text_ += text;
  note_lines(start);
  return start;
}

void JsonDocument::note_lines(std::size_t start) {
  line_starts_.push_back(start);
  for (std::size_t at = text_.find('\n', start); at != std::string::npos; at = text_.find('\n', at + 1)) {
    line_starts_.push_back(at + 1);
  }
}

namespace {

std::optional<Diagnostics> refuse_size(const std::string& text, const std::string& file) {
  if (text.size() <= kMaxInputBytes) return std::nullopt;
  Diagnostic fault;
  fault.place.file = file;
  fault.message = fmt::format("file of {} bytes; the limit is {}", text.size(), kMaxInputBytes);
  return Diagnostics{fault};
}

// Where "NaN", "Infinity" and "-Infinity" stand outside of strings: first byte and length.
std::vector<std::pair<std::size_t, std::size_t>> find_non_finite(std::string_view text) {
  static constexpr std::array<std::string_view, 3> kWords{"-Infinity", "Infinity", "NaN"};
  std::vector<std::pair<std::size_t, std::size_t>> found;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') in_string = !in_string;
    if (in_string) {
      if (text[i] == '\\') ++i;
      continue;
    }
    if (text[i] != '-' && text[i] != 'I' && text[i] != 'N') continue;
    for (const std::string_view word : kWords) {
      if (text.substr(i, word.size()) != word) continue;
      found.emplace_back(i, word.size());
      i += word.size() - 1;
      break;
    }
  }
  return found;
}

}  // namespace

void JsonDocument::build(const std::string& readable, Diagnostics& faults, Diagnostics* repeated) {
  std::size_t consumed = 0;
  TreeBuilder builder(text_, root_, consumed);
  const char* data = readable.data();
  CountingIterator first(data, &consumed);
  CountingIterator last(data + readable.size(), &consumed);
  nlohmann::json::sax_parse(first, last, &builder);
  const auto note = [&](const std::vector<Fault>& noted, Diagnostics& out, Severity severity) {
    for (const Fault& fault : noted) {
      const bool printed = out.size() < kMaxDiagnostics;  // the rest is only counted: spare the search for its line
      const SourcePlace place = printed ? this->place(fault.offset, fault.length) : SourcePlace{};
      out.push_back({severity, place, fault.message, fault.hint});
    }
  };
  if (repeated != nullptr) {
    for (Fault& fault : builder.repeated_keys) fault.hint = "the last value counts";
    note(builder.repeated_keys, *repeated, Severity::warning);
  } else {
    note(builder.repeated_keys, faults, Severity::error);
  }
  note(builder.faults, faults, Severity::error);
}

Result<JsonDocument> JsonDocument::parse(std::string text, std::string file) {
  if (const auto refusal = refuse_size(text, file)) return fail(*refusal);
  JsonDocument document(std::move(text), std::move(file));
  Diagnostics faults;
  document.build(document.text_, faults, nullptr);
  if (!faults.empty()) return fail(std::move(faults));
  return document;
}

Result<JsonDocument> JsonDocument::parse_lenient(std::string text, std::string file, Diagnostics& warnings) {
  if (const auto refusal = refuse_size(text, file)) return fail(*refusal);
  if (text.rfind("\xEF\xBB\xBF", 0) == 0) text.erase(0, 3);
  JsonDocument document(std::move(text), std::move(file));
  std::string readable = document.text_;
  for (const auto& [offset, length] : find_non_finite(document.text_)) {
    readable.replace(offset, length, std::string(length, ' '));
    readable[offset] = '0';
    if (warnings.size() >= kMaxDiagnostics) continue;
    warnings.push_back({Severity::warning, document.place(offset, length),
                        fmt::format("{} is not JSON", document.text_.substr(offset, length)), "it counts as absent"});
  }
  Diagnostics faults;
  document.build(readable, faults, &warnings);
  if (!faults.empty()) return fail(std::move(faults));
  return document;
}

namespace {

void set_offsets(JsonValue& value, std::size_t offset, std::size_t length) {
  value.offset = offset;
  value.length = length;
  for (JsonValue& item : value.items) set_offsets(item, offset, length);
  for (JsonMember& member : value.members) {
    member.key_offset = offset;
    set_offsets(member.value, offset, length);
  }
}

void shift_offsets(JsonValue& value, std::size_t shift) {
  value.offset += shift;
  for (JsonValue& item : value.items) shift_offsets(item, shift);
  for (JsonMember& member : value.members) {
    member.key_offset += shift;
    shift_offsets(member.value, shift);
  }
}

void fill_in(JsonValue& value, const JsonValue& base) {
  if (value.kind != JsonValue::Kind::object || base.kind != JsonValue::Kind::object) return;
  for (const JsonMember& member : base.members) {
    const auto same = [&](const JsonMember& own) { return own.key == member.key; };
    const auto it = std::find_if(value.members.begin(), value.members.end(), same);
    if (it == value.members.end())
      value.members.push_back(member);
    else
      fill_in(it->value, member.value);
  }
}

// The entry of `parent` under one part of a path, made when it is missing; nullptr where the part leads nowhere.
JsonValue* step_into(JsonValue& parent, const std::string& part, std::size_t offset) {
  const bool is_index = part == "0";  // a list that is not there yet starts at its first entry
  if (parent.kind == JsonValue::Kind::null && is_index) parent.kind = JsonValue::Kind::array;
  if (parent.kind == JsonValue::Kind::array) {
    if (part.empty() || part.size() > 6 || part.find_first_not_of("0123456789") != std::string::npos) return nullptr;
    const std::size_t index = std::stoul(part);
    if (index > parent.items.size()) return nullptr;
    if (index == parent.items.size()) parent.items.emplace_back();
    return &parent.items[index];
  }
  if (parent.kind == JsonValue::Kind::null) parent.kind = JsonValue::Kind::object;
  if (parent.kind != JsonValue::Kind::object) return nullptr;
  for (JsonMember& member : parent.members) {
    if (member.key == part) return &member.value;
  }
  JsonMember& added = parent.members.emplace_back();
  added.key = part;
  added.key_offset = offset;
  added.value.offset = offset;
  return &added.value;
}

}  // namespace

constexpr std::size_t kQuotedPath = 120;  // bytes of a path repeated in a message

Result<bool> JsonDocument::set(std::string_view path, const std::string& value, const std::string& origin) {
  JsonValue parsed;
  if (Result<JsonDocument> json = parse(value, origin)) {
    parsed = json->root();
  } else {
    parsed.kind = JsonValue::Kind::string;
    parsed.text = value;
  }
  const std::size_t offset = append(origin, "command line");
  set_offsets(parsed, offset, origin.size());
  JsonValue* at = &root_;
  std::size_t start = 0;
  for (int depth = 1; start <= path.size(); ++depth) {
    const std::size_t end = std::min(path.find('.', start), path.size());
    const std::string part(path.substr(start, end - start));
    at = part.empty() || depth > kMaxJsonDepth ? nullptr : step_into(*at, part, offset);
    if (at == nullptr) {
      Diagnostic fault{
          Severity::error, place(offset, origin.size()),
          fmt::format("\"{}\" leads nowhere at \"{}\"", cut_text(path, kQuotedPath), cut_text(part, kQuotedPath)), ""};
      return fail({fault});
    }
    start = end + 1;
  }
  *at = std::move(parsed);
  return true;
}

void JsonDocument::extend(const JsonDocument& base) {
  const std::size_t start = append(base.text_, base.file());
  for (std::size_t i = 1; i < base.segments_.size(); ++i) {
    segments_.push_back({start + base.segments_[i].start, base.segments_[i].file});
  }
  JsonValue filling = base.root_;
  shift_offsets(filling, start);
  fill_in(root_, filling);
}

}  // namespace oblea
