#include "io/gguf/layout.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include <fmt/core.h>

#include "base/limits.hpp"
#include "base/printable.hpp"
#include "io/gguf/types.hpp"

namespace oblea {
namespace {

std::string quote(const GgufTensor& tensor) { return fmt::format("tensor \"{}\"", cut_text(tensor.name, 80)); }

void warn(const GgufHeader& header, Diagnostics& warnings, std::string message, std::string hint = {}) {
  Diagnostic warning;
  warning.severity = Severity::warning;
  warning.place.file = header.file;
  warning.message = std::move(message);
  warning.hint = std::move(hint);
  warnings.push_back(std::move(warning));
}

class Layout {
 public:
  Layout(GgufHeader& header, GgufReader& reader) : header_(header), reader_(reader), order_(header.tensors.size()) {
    std::iota(order_.begin(), order_.end(), 0u);
    std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::pair(header.tensors[a].offset, a) < std::pair(header.tensors[b].offset, b);
    });
  }

  void settle() {
    for (std::size_t i = 0; i < order_.size() && reader_.ok(); ++i) {
      GgufTensor& tensor = header_.tensors[order_[i]];
      place(tensor);
      if (reader_.ok()) size(tensor, i + 1 < order_.size() ? &header_.tensors[order_[i + 1]] : nullptr);
      end_ = tensor.offset + tensor.bytes;
    }
    const std::uint64_t whole = header_.data_offset + end_;
    if (!order_.empty() && whole > header_.file_size) header_.missing_bytes = whole - header_.file_size;
  }

 private:
  void fail(const GgufTensor& tensor, const std::string& message, std::string hint = {}) {
    reader_.fail_at(tensor.header_offset, quote(tensor) + message, std::move(hint));
  }

  void place(const GgufTensor& tensor) {
    const std::uint64_t data = header_.file_size - std::min(header_.file_size, header_.data_offset);
    if (tensor.offset % header_.alignment != 0) {
      fail(tensor, fmt::format(" starts at {} of the data, which is no multiple of the alignment {}", tensor.offset,
                               header_.alignment));
    } else if (tensor.offset < end_) {
      fail(tensor,
           fmt::format(" starts at {} of the data, inside the one before it, which ends at {}", tensor.offset, end_));
    } else if (tensor.offset > data && tensor.offset - end_ >= header_.alignment) {
      fail(tensor, fmt::format(" starts at {} of the data; the file holds {}", tensor.offset, data));
    }
  }

  void size(GgufTensor& tensor, const GgufTensor* next) {
    const GgufType* type = find_gguf_type(tensor.type);
    if (type == nullptr) return take_gap(tensor, next);
    if (tensor.dims[0] % type->weights_per_block != 0) {
      return fail(tensor, fmt::format(" has rows of {} weights, which are no whole blocks of {} ({} weights)",
                                      tensor.dims[0], type->name, type->weights_per_block));
    }
    const auto blocks = static_cast<std::uint64_t>(tensor.weights() / type->weights_per_block);
    if (blocks > kMaxGgufTensorBytes / type->bytes_per_block) {
      return fail(tensor, fmt::format(" has {} weights in {}; the limit is {} bytes a tensor", tensor.weights(),
                                      type->name, kMaxGgufTensorBytes));
    }
    tensor.bytes = blocks * type->bytes_per_block;
  }

  void take_gap(GgufTensor& tensor, const GgufTensor* next) {
    const std::uint64_t data = header_.file_size - std::min(header_.file_size, header_.data_offset);
    const std::uint64_t end = next != nullptr ? next->offset : data;
    if (end <= tensor.offset || end - tensor.offset > kMaxGgufTensorBytes) {
      return fail(tensor,
                  fmt::format(" has the unknown type {}, and the file does not show where it ends", tensor.type),
                  "a newer oblea may know the type");
    }
    tensor.bytes = end - tensor.offset;
  }

  GgufHeader& header_;
  GgufReader& reader_;
  std::vector<std::uint32_t> order_;
  std::uint64_t end_ = 0;  // of the tensor before, in the data
};

void warn_of_types(const GgufHeader& header, Diagnostics& warnings) {
  std::map<std::uint32_t, std::size_t> odd;
  for (const GgufTensor& tensor : header.tensors) {
    const GgufType* type = find_gguf_type(tensor.type);
    if (type == nullptr || !type->removed.empty()) ++odd[tensor.type];
  }
  for (const auto& [id, count] : odd) {
    if (const GgufType* type = find_gguf_type(id)) {
      warn(header, warnings, fmt::format("{} tensors of type {} ({}): {}", count, id, type->name, type->removed),
           "today's llama.cpp does not load it; the bytes are reckoned with the old blocks");
    } else {
      warn(
          header, warnings,
          fmt::format("{} tensors of type {}, which has no name here; their bytes are what lies before the next tensor",
                      count, id),
          "memory is right; speed takes the nearest type that is known");
    }
  }
}

}  // namespace

void lay_out_tensors(GgufHeader& header, GgufReader& reader, Diagnostics& warnings) {
  Layout(header, reader).settle();
  if (!reader.ok()) return;
  warn_of_types(header, warnings);
  if (header.missing_bytes > 0) {
    warn(
        header, warnings,
        fmt::format("the file is cut short: {} of {} bytes", header.file_size, header.file_size + header.missing_bytes),
        "the header is whole, so the model is planned as if the file were; no engine will load it");
  }
}

}  // namespace oblea
