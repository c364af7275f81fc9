#include "io/huggingface/safetensors_header.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <set>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/limits.hpp"
#include "base/printable.hpp"
#include "io/text_file.hpp"

namespace oblea {
namespace {

constexpr std::size_t kQuoted = 80;

Diagnostics fault_in(const std::string& file, std::string message, std::string hint = {}) {
  Diagnostic fault;
  fault.place.file = file;
  fault.message = std::move(message);
  fault.hint = std::move(hint);
  return {fault};
}

// What both files are: an object of objects (or of texts), read without a tree, for an index may name a million
// tensors. Events of depth 1 and 2 are handed to `Derived`; deeper ones are passed over.
class FlatReader : public nlohmann::json_sax<nlohmann::json> {
 public:
  std::string problem;
  std::size_t offset = 0;

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return refuse("a number below zero"); }
  bool number_unsigned(number_unsigned_t value) override { return on_number(value); }
  bool number_float(number_float_t value, const string_t&) override {
    return value >= 0 && value < 9e18 ? on_number(static_cast<std::uint64_t>(value)) : refuse("a number out of range");
  }
  bool string(string_t& value) override { return on_text(value); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return enter(); }
  bool end_object() override {
    --depth_;
    return depth_ != 1 || on_end();
  }
  bool start_array(std::size_t) override { return enter(); }
  bool end_array() override {
    --depth_;
    return true;
  }
  bool key(string_t& name) override {
    if (depth_ == 1) outer_ = name;
    if (depth_ == 2) inner_ = name;
    return true;
  }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) override {
    offset = position > 0 ? position - 1 : 0;
    problem = "not valid JSON";
    return false;
  }

 protected:
  virtual bool on_number(std::uint64_t value) = 0;
  virtual bool on_text(std::string& value) = 0;
  virtual bool on_end() { return true; }
  bool refuse(std::string why) {
    problem = std::move(why);
    return false;
  }
  int depth_ = 0;
  std::string outer_;  // the key at depth 1
  std::string inner_;  // the key at depth 2

 private:
  bool enter() { return ++depth_ <= kMaxJsonDepth || refuse("brackets nested too deep"); }
};

class HeaderReader : public FlatReader {
 public:
  std::vector<SafeTensor> tensors;
  std::uint64_t end = 0;  // of the last tensor

 private:
  bool on_number(std::uint64_t value) override {
    if (depth_ == 3 && inner_ == "data_offsets" && offsets_ < 2) span_[offsets_++] = value;
    return true;
  }
  bool on_text(std::string& value) override {
    if (depth_ == 2 && inner_ == "dtype") dtype_ = value;
    return true;
  }
  bool on_end() override {
    if (outer_ != "__metadata__") {
      if (offsets_ != 2 || span_[1] < span_[0] || dtype_.empty())
        return refuse(fmt::format("tensor \"{}\" has no type or no bytes", cut_text(outer_, kQuoted)));
      tensors.push_back({outer_, dtype_, span_[1] - span_[0]});
      end = std::max(end, span_[1]);
    }
    offsets_ = 0;
    dtype_.clear();
    return true;
  }

  std::array<std::uint64_t, 2> span_{};
  std::size_t offsets_ = 0;
  std::string dtype_;
};

class IndexReader : public FlatReader {
 public:
  std::uint64_t total = 0;
  std::set<std::string> shards;

 private:
  bool on_number(std::uint64_t value) override {
    if (depth_ == 2 && outer_ == "metadata" && inner_ == "total_size") total = value;
    return true;
  }
  bool on_text(std::string& value) override {
    if (depth_ != 2 || outer_ != "weight_map") return true;
    if (value.empty() || value.find_first_of("/\\") != std::string::npos || value.front() == '.')
      return refuse(fmt::format("\"{}\" is no name of a file in this folder", cut_text(value, kQuoted)));
    if (shards.size() >= kMaxSafetensorsShards) return refuse(fmt::format("more than {} files", kMaxSafetensorsShards));
    shards.insert(value);
    return true;
  }
};

std::uint64_t little_endian(const std::array<unsigned char, 8>& bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = 8; i-- > 0;) value = value << 8 | bytes[i];
  return value;
}

}  // namespace

Result<std::vector<SafeTensor>> read_safetensors_header(const std::string& path, Diagnostics& warnings) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  std::ifstream file(path, std::ios::binary);
  std::array<unsigned char, 8> prefix{};
  if (error || !file) return fail(fault_in(path, error ? error.message() : "cannot open"));
  if (!file.read(reinterpret_cast<char*>(prefix.data()), prefix.size()))
    return fail(fault_in(path, fmt::format("{} bytes are too few for a safetensors file", size)));
  const std::uint64_t length = little_endian(prefix);
  if (length > size - prefix.size())
    return fail(fault_in(path, fmt::format("offset 0: a header of {} bytes in a file of {}", length, size),
                         "not a safetensors file, or a download cut short"));
  if (length > kMaxSafetensorsHeaderBytes)
    return fail(fault_in(
        path, fmt::format("offset 0: a header of {} bytes; the limit is {}", length, kMaxSafetensorsHeaderBytes)));
  std::string header(static_cast<std::size_t>(length), '\0');
  file.read(header.data(), static_cast<std::streamsize>(header.size()));
  HeaderReader reader;
  nlohmann::json::sax_parse(header, &reader);
  if (!reader.problem.empty())
    return fail(fault_in(path, fmt::format("offset {}: {}", prefix.size() + reader.offset, reader.problem)));
  if (prefix.size() + length + reader.end > size) {
    Diagnostics unfinished =
        fault_in(path, fmt::format("{} bytes, but its tensors end at {}", size, prefix.size() + length + reader.end),
                 "the download is not finished; the sizes in the header count");
    unfinished.front().severity = Severity::warning;
    warnings.push_back(unfinished.front());
  }
  return std::move(reader.tensors);
}

Result<SafetensorsIndex> read_safetensors_index(const std::string& path) {
  const Result<std::string> text = read_text_file(path, kMaxSafetensorsIndexBytes);
  if (!text) return fail(text.error());
  IndexReader reader;
  nlohmann::json::sax_parse(*text, &reader);
  if (!reader.problem.empty()) return fail(fault_in(path, fmt::format("offset {}: {}", reader.offset, reader.problem)));
  return SafetensorsIndex{reader.total, {reader.shards.begin(), reader.shards.end()}};
}

}  // namespace oblea
