// TensorFormat: how one tensor's numbers are stored: so many bytes for a block of so many weights.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "units/quantity.hpp"

namespace oblea {

enum class TensorFormat : std::uint8_t {
  f32,
  f16,
  bf16,
  q8_0,
  q6_k,
  q5_k,
  q5_0,
  q5_1,
  q4_k,
  q4_0,
  q4_1,
  q3_k,
  q2_k,
  iq4_nl,
  iq4_xs,
  iq3_s,
  iq3_xxs,
  iq2_s,
  iq2_xs,
  iq2_xxs,
  iq1_m,
  iq1_s,
  tq1_0,
  tq2_0,
  mxfp4,
  nvfp4,
  fp8,
  int8,
  int4_g128,
  int4_g32
};

inline constexpr int kTensorFormatCount = 30;

struct BlockFormat {
  std::string_view name;  // "Q4_K"
  int weights_per_block = 1;
  int bytes_per_block = 2;
};

const BlockFormat& block_format(TensorFormat format);
std::optional<TensorFormat> find_tensor_format(std::string_view name);

// Exact for counts that are whole blocks; a last part block counts as whole. Example: Q4_K, 256 weights: 144 bytes.
std::int64_t tensor_bytes(std::int64_t weights, TensorFormat format);

// Bytes held in each format; what a kernel must read and unpack.
struct FormatBytes {
  std::array<double, kTensorFormatCount> bytes{};
  void add(TensorFormat format, double count) { bytes[static_cast<std::size_t>(format)] += count; }
  Bytes total() const {
    double sum = 0;
    for (double b : bytes) sum += b;
    return Bytes(sum);
  }
  bool empty() const { return total().value() == 0; }
  FormatBytes& operator+=(const FormatBytes& other) {
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] += other.bytes[i];
    return *this;
  }
  bool operator==(const FormatBytes&) const = default;
};

}  // namespace oblea
