// Row split: rows of every matrix over devices (llama.cpp -sm row), in steps that kernels want.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace oblea {

// Rows of one matrix on each device. Each border is the share so far, rounded down to whole steps, so a device may get
// more or less than it was asked for; the last takes what is left. Shares need not add up to 1.
// Source: ggml-cuda's get_row_split, steps of 64 to 128 rows for quantised matrices.
// Example: 5,120 rows, shares 0.49 and 0.51, steps of 128: 2,508.8 becomes 2,432 and 2,688, a share of 0.525.
std::vector<std::int64_t> split_rows(std::int64_t rows, std::span<const double> shares, std::int64_t step);

// The largest share of any of these matrices that falls to each device: what a plan must allow for.
std::vector<double> worst_shares(std::span<const std::int64_t> rows, std::span<const double> shares, std::int64_t step);

}  // namespace oblea
