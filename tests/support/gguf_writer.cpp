#include "support/gguf_writer.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <map>
#include <stdexcept>

namespace oblea::test {
namespace {

constexpr std::uint64_t kAlignment = 32;

std::uint64_t align(std::uint64_t offset) { return (offset + kAlignment - 1) / kAlignment * kAlignment; }

template <class T>
std::string little(T value) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

// Weights and bytes of a block, by hand from the format's description.
const std::map<std::uint32_t, std::pair<std::uint64_t, std::uint64_t>> kBlocks{
    {kF32, {1, 4}},    {kF16, {1, 2}},      {kBF16, {1, 2}},     {kQ4_0, {32, 18}},
    {kQ8_0, {32, 34}}, {kQ4_K, {256, 144}}, {kQ6_K, {256, 210}}, {kMxfp4, {32, 17}}};

}  // namespace

std::string u32(std::uint32_t value) { return little(value); }
std::string u64(std::uint64_t value) { return little(value); }
std::string gguf_text(std::string_view text) { return u64(text.size()) + std::string(text); }

std::string gguf_start(std::uint64_t tensors, std::uint64_t keys, std::uint32_t version) {
  return "GGUF" + u32(version) + u64(tensors) + u64(keys);
}

GgufWriter::GgufWriter(std::string architecture, std::uint32_t version)
    : architecture_(std::move(architecture)), version_(version) {
  text("general.architecture", architecture_);
}

GgufWriter& GgufWriter::raw(const std::string& key, std::uint32_t type, const std::string& bytes) {
  keys_.emplace_back(full(key), u32(type) + bytes);
  return *this;
}

GgufWriter& GgufWriter::number(const std::string& key, std::uint32_t value) { return raw(key, kU32, u32(value)); }
GgufWriter& GgufWriter::text(const std::string& key, std::string_view value) {
  return raw(key, kText, gguf_text(value));
}
GgufWriter& GgufWriter::truth(const std::string& key, bool value) { return raw(key, kBool, std::string(1, value)); }

GgufWriter& GgufWriter::numbers(const std::string& key, const std::vector<std::int32_t>& values) {
  std::string bytes = u32(kI32) + u64(values.size());
  for (const std::int32_t value : values) bytes += little(value);
  return raw(key, kArray, bytes);
}

GgufWriter& GgufWriter::truths(const std::string& key, const std::vector<bool>& values) {
  std::string bytes = u32(kBool) + u64(values.size());
  for (const bool value : values) bytes += std::string(1, value);
  return raw(key, kArray, bytes);
}

GgufWriter& GgufWriter::texts(const std::string& key, std::size_t count, std::string_view each) {
  std::string bytes = u32(kText) + u64(count);
  for (std::size_t i = 0; i < count; ++i) bytes += gguf_text(each);
  return raw(key, kArray, bytes);
}

GgufWriter& GgufWriter::tensor(const std::string& name, const std::vector<std::uint64_t>& dims, std::uint32_t type,
                               std::uint64_t bytes) {
  std::uint64_t weights = 1;
  for (const std::uint64_t dim : dims) weights *= dim;
  if (bytes == 0) bytes = weights / kBlocks.at(type).first * kBlocks.at(type).second;
  const std::uint64_t offset = align(data_end_);
  tensors_ += gguf_text(name) + u32(static_cast<std::uint32_t>(dims.size()));
  for (const std::uint64_t dim : dims) tensors_ += u64(dim);
  tensors_ += u32(type) + u64(offset);
  data_end_ = offset + bytes;
  ++tensor_count_;
  return *this;
}

GgufWriter& GgufWriter::remove(const std::string& key) {
  const auto gone = std::remove_if(keys_.begin(), keys_.end(), [&](const auto& k) { return k.first == full(key); });
  if (gone == keys_.end()) throw std::runtime_error("no key " + key);
  keys_.erase(gone, keys_.end());
  return *this;
}

std::string GgufWriter::header() const {
  std::string bytes = gguf_start(tensor_count_, keys_.size(), version_);
  for (const auto& [name, value] : keys_) bytes += gguf_text(name) + value;
  bytes += tensors_;
  bytes.resize(align(bytes.size()), '\0');
  return bytes;
}

std::string GgufWriter::bytes() const { return header() + std::string(data_end_, '\0'); }

std::string GgufWriter::write_cut(const std::string& path) const {
  std::ofstream(path, std::ios::binary) << header();
  return path;
}

std::string GgufWriter::write(const std::string& path) const {
  write_cut(path);
  if (::truncate(path.c_str(), static_cast<off_t>(header().size() + data_end_)) != 0) throw std::runtime_error(path);
  return path;
}

}  // namespace oblea::test
