// The tables of `oblea calibrate`.
#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "study/calibrate.hpp"

namespace oblea {
namespace {

// Linear interpolation between order statistics; 0 for none.
double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const double place = share * static_cast<double>(values.size() - 1);
  const auto low = static_cast<std::size_t>(std::floor(place));
  const std::size_t high = std::min(low + 1, values.size() - 1);
  return values[low] + (values[high] - values[low]) * (place - std::floor(place));
}

std::map<std::string, std::vector<LeftOutRow>> by_device(const std::vector<LeftOutRow>& rows) {
  std::map<std::string, std::vector<LeftOutRow>> groups;
  for (const LeftOutRow& row : rows) groups[row.measurement.device].push_back(row);
  return groups;
}

std::string summary_line(std::string_view name, const ErrorSummary& s) {
  return fmt::format("{:<20} {:>4} {:>8.1f} % {:>7.1f} % {:>7.1f} % {:>+7.1f} % {:>8.0f} %\n", name, s.rows,
                     s.median * 100, s.p90 * 100, s.worst * 100, s.bias * 100, s.coverage * 100);
}

std::string table(std::string_view title, const std::vector<LeftOutRow>& rows) {
  std::string out = fmt::format("{}\n{:<20} {:>4} {:>10} {:>9} {:>9} {:>9} {:>10}\n", title, "left-out device", "n",
                                "median", "p90", "worst", "bias", "in band");
  for (const auto& [device, group] : by_device(rows)) out += summary_line(device, summarise(group));
  return out + summary_line("all", summarise(rows));
}

std::string worst_rows(const std::vector<LeftOutRow>& rows, std::size_t count) {
  std::vector<const LeftOutRow*> sorted;
  sorted.reserve(rows.size());
  for (const LeftOutRow& row : rows) sorted.push_back(&row);
  std::stable_sort(sorted.begin(), sorted.end(), [](const LeftOutRow* a, const LeftOutRow* b) {
    return std::abs(a->log_error()) > std::abs(b->log_error());
  });
  sorted.resize(std::min(count, sorted.size()));
  std::string out = "worst rows:";
  for (const LeftOutRow* row : sorted) {
    out += fmt::format("\n  {:<14} {:<18} {:<22} {:<8} {:>+7.0f} %", row->measurement.id, row->measurement.device,
                       row->measurement.model, row->measurement.mixture, row->speed_error() * 100);
  }
  return out + "\n";
}

}  // namespace

ErrorSummary summarise(const std::vector<LeftOutRow>& rows) {
  ErrorSummary summary;
  std::vector<double> sizes, signed_errors;
  int inside = 0;
  for (const LeftOutRow& row : rows) {
    signed_errors.push_back(row.speed_error());
    sizes.push_back(std::abs(row.speed_error()));
    inside += row.in_band() ? 1 : 0;
  }
  summary.rows = static_cast<int>(rows.size());
  summary.median = quantile(sizes, 0.5);
  summary.p90 = quantile(sizes, 0.9);
  summary.worst = quantile(sizes, 1);
  summary.bias = quantile(signed_errors, 0.5);
  if (!rows.empty()) summary.coverage = static_cast<double>(inside) / static_cast<double>(rows.size());
  return summary;
}

std::string print_calibration(const Calibration& calibration) {
  std::string out =
      "Error of predicted speed on devices that the fit has not seen. Band: errors of the other devices.\n\n";
  out += table("Decode, one sequence", calibration.decode) + worst_rows(calibration.decode, 12) + "\n";
  out += table("Prefill", calibration.prefill) + worst_rows(calibration.prefill, 12) + "\n";
  const auto& widening = calibration.parameters.unseen_widening;
  out += fmt::format(
      "Band of a family (maker, memory) that the fit never saw: x {:.2f} for decode, x {:.2f} for prefill.\n\n",
      widening[0], widening[1]);
  if (!calibration.batched.empty())
    out += table("Decode, several sequences (predicted only, never fitted)", calibration.batched) + "\n";
  if (!calibration.less_sure.empty()) {
    out += table("Quality B, decode and prefill (predicted only, never fitted)", calibration.less_sure) +
           worst_rows(calibration.less_sure, 12) + "\n";
  }
  std::vector<LeftOutRow> everything = calibration.decode;
  for (const LeftOutRow& row : calibration.out_of_domain) {
    if (row.measurement.kind == PassKind::decode && row.measurement.batch == 1 && row.measurement.quality == "A")
      everything.push_back(row);
  }
  if (everything.size() > calibration.decode.size()) {
    out += summary_line("decode, with rows", summarise(everything)) + "out of the model's domain counted:\n";
    for (const LeftOutRow& row : calibration.out_of_domain) {
      out += fmt::format("  {:<10} {:<16} {:>+6.0f} %  {}\n", row.measurement.id, row.measurement.device,
                         row.speed_error() * 100, row.measurement.out_of_domain);
    }
  }
  return out;
}

}  // namespace oblea
