#include "io/gguf/shards.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "base/limits.hpp"
#include "base/printable.hpp"

namespace oblea {
namespace {

constexpr int kDigits = 5;

Diagnostic fault_in(const std::string& file, std::string message, std::string hint = {}) {
  Diagnostic fault;
  fault.place.file = file;
  fault.message = std::move(message);
  fault.hint = std::move(hint);
  return fault;
}

std::optional<int> digits(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool all = error == std::errc() && end == text.data() + text.size() && text.front() != '-';
  return all ? std::optional(value) : std::nullopt;
}

std::optional<std::int64_t> split_key(const GgufHeader& header, const char* name) {
  const GgufKey* key = header.find(name);
  const double* value = key != nullptr ? std::get_if<double>(&key->value) : nullptr;
  if (value == nullptr || !(*value >= 0 && *value <= 1e15)) return std::nullopt;
  return static_cast<std::int64_t>(*value);
}

// "at byte 46: split.count is 4, but ...".
void expect(const GgufHeader& header, const char* key, std::int64_t expected, const std::string& because,
            Diagnostics& faults) {
  const std::optional<std::int64_t> value = split_key(header, key);
  if (!value || *value == expected) return;
  faults.push_back(fault_in(header.file,
                            fmt::format("at byte {}: {} is {}, but {}", header.find(key)->offset, key, *value, because),
                            "the files of one set must keep the names that gguf-split gave them"));
}

// What one header says of itself against its own name.
void check_shard(const GgufHeader& header, const ShardName& name, int number, Diagnostics& faults) {
  expect(header, "split.count", name.count, fmt::format("the file's name says one of {}", name.count), faults);
  expect(header, "split.no", number - 1, fmt::format("the file's name makes it {} (counted from 0)", number - 1),
         faults);
}

Diagnostics missing_shards(const ShardName& name) {
  Diagnostics faults;
  std::error_code error;
  for (int i = 1; i <= name.count; ++i) {
    if (!std::filesystem::exists(name.path(i), error)) {
      faults.push_back(fault_in(name.path(i), fmt::format("missing: shard {} of {}", i, name.count),
                                "all shards must lie in one folder"));
    }
  }
  return faults;
}

void check_tensors(const std::vector<GgufHeader>& headers, Diagnostics& faults) {
  std::set<std::string_view> seen;
  for (const GgufHeader& header : headers) {
    for (const GgufTensor& tensor : header.tensors) {
      if (seen.insert(tensor.name).second) continue;
      faults.push_back(fault_in(header.file, fmt::format("at byte {}: the tensor \"{}\" stands in an earlier shard too",
                                                         tensor.header_offset, cut_text(tensor.name, 80))));
      return;
    }
  }
  for (const GgufHeader& header : headers) {
    expect(header, "split.tensors.count", static_cast<std::int64_t>(seen.size()),
           fmt::format("the {} shards hold {} tensors", headers.size(), seen.size()), faults);
  }
}

// A file whose name is of no set, although its keys say so.
Result<std::vector<GgufHeader>> single(GgufHeader header) {
  const std::int64_t count = split_key(header, "split.count").value_or(0);
  if (count > 1) {
    const std::int64_t number = split_key(header, "split.no").value_or(0) + 1;
    return fail(Diagnostics{
        fault_in(header.file,
                 fmt::format("at byte {}: the file is shard {} of {}, but its name does not say so",
                             header.find("split.count")->offset, number, count),
                 fmt::format("rename it to NAME-{:05}-of-{:05}.gguf, as its siblings are, so that they can be found",
                             number, count))});
  }
  std::vector<GgufHeader> headers;
  headers.push_back(std::move(header));
  return headers;
}

}  // namespace

std::string ShardName::path(int shard) const { return fmt::format("{}-{:05}-of-{:05}.gguf", stem, shard, count); }

std::optional<ShardName> parse_shard_name(const std::string& path) {
  constexpr std::string_view kEnd = ".gguf";
  constexpr std::size_t kTail = 1 + kDigits + 4 + kDigits + 5;  // "-00002-of-00005.gguf"
  const std::string_view text(path);
  if (text.size() <= kTail || !text.ends_with(kEnd)) return std::nullopt;
  const std::string_view tail = text.substr(text.size() - kTail);
  const std::optional<int> number = digits(tail.substr(1, kDigits));
  const std::optional<int> count = digits(tail.substr(1 + kDigits + 4, kDigits));
  const bool formed = tail[0] == '-' && tail.substr(1 + kDigits, 4) == "-of-" && number && count;
  if (!formed || *number < 1 || *number > *count) return std::nullopt;
  return ShardName{path.substr(0, path.size() - kTail), *number, *count};
}

Result<std::vector<GgufHeader>> read_gguf_shards(const std::string& path, Diagnostics& warnings) {
  Result<GgufHeader> named = read_gguf_header(path, warnings);
  if (!named) return fail(named.error());
  const std::optional<ShardName> name = parse_shard_name(path);
  if (!name) return single(std::move(*named));
  Diagnostics faults;
  check_shard(*named, *name, name->number, faults);
  if (static_cast<std::size_t>(name->count) > kMaxGgufShards) {
    faults.push_back(fault_in(path, fmt::format("a set of {} files; the limit is {}", name->count, kMaxGgufShards)));
  }
  if (faults.empty()) faults = missing_shards(*name);
  std::vector<GgufHeader> headers;
  for (int i = 1; i <= name->count && faults.empty(); ++i) {
    if (i == name->number) {
      headers.push_back(std::exchange(*named, GgufHeader{}));
      continue;  // checked above
    }
    Result<GgufHeader> shard = read_gguf_header(name->path(i), warnings);
    if (!shard) return fail(shard.error());
    check_shard(*shard, *name, i, faults);
    headers.push_back(std::move(*shard));
  }
  if (faults.empty()) check_tensors(headers, faults);
  if (!faults.empty()) return fail(std::move(faults));
  return headers;
}

}  // namespace oblea
