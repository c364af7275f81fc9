#include "placement/row_split.hpp"

#include <algorithm>
#include <numeric>

#include "base/check.hpp"

namespace oblea {

std::vector<std::int64_t> split_rows(std::int64_t rows, std::span<const double> shares, std::int64_t step) {
  OBLEA_CHECK(!shares.empty() && step >= 1 && rows >= 0, "rows, a step and devices to split over");
  const double total = std::accumulate(shares.begin(), shares.end(), 0.0);
  OBLEA_CHECK(total > 0, "some device takes rows");
  std::vector<std::int64_t> split;
  std::int64_t begin = 0;
  double so_far = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    so_far += shares[i];
    const bool last = i + 1 == shares.size();
    const auto wanted = static_cast<std::int64_t>(static_cast<double>(rows) * so_far / total);
    const std::int64_t end = last ? rows : wanted / step * step;
    split.push_back(std::max<std::int64_t>(0, end - begin));
    begin = std::max(begin, end);
  }
  return split;
}

std::vector<double> worst_shares(std::span<const std::int64_t> rows, std::span<const double> shares,
                                 std::int64_t step) {
  std::vector<double> worst(shares.size());
  for (const std::int64_t r : rows) {
    const std::vector<std::int64_t> split = split_rows(r, shares, step);
    for (std::size_t i = 0; i < split.size(); ++i) {
      worst[i] = std::max(worst[i], static_cast<double>(split[i]) / static_cast<double>(r));
    }
  }
  return worst;
}

}  // namespace oblea
