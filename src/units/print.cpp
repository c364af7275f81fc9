#include "units/print.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <span>
#include <string_view>

#include <fmt/format.h>

namespace oblea {
namespace {

// "1234567" to "1,234,567"; a sign and a fraction stay as they are.
std::string group_thousands(std::string_view number) {
  const std::size_t start = number.starts_with('-') ? 1 : 0;
  const std::size_t point = std::min(number.find('.'), number.size());
  std::string grouped(number.substr(0, start));
  for (std::size_t i = start; i < point; ++i) {
    if (i > start && (point - i) % 3 == 0) grouped += ',';
    grouped += number[i];
  }
  return grouped.append(number.substr(point));
}

// "-0" and "-0.00" after rounding are "0" and "0.00".
std::string fixed(double number, int decimals) {
  std::string text = fmt::format("{:.{}f}", number, decimals);
  if (text.starts_with('-') && text.find_first_not_of("-0.") == std::string::npos) text.erase(0, 1);
  return group_thousands(text);
}

struct Scale {
  double factor;
  std::string_view unit;
};

// The largest unit in which the rounded number is at least 1 (999.6 ms is "1.00 s"); zero takes `unit_of_zero`.
std::string print_scaled(double value, std::span<const Scale> scales, std::string_view unit_of_zero) {
  if (value == 0) return fmt::format("0 {}", unit_of_zero);
  const Scale* best = &scales.front();
  for (const Scale& scale : scales) {
    if (std::abs(value) >= 0.9995 * scale.factor) best = &scale;
  }
  return fmt::format("{} {}", print_number(value / best->factor), best->unit);
}

constexpr Seconds kMinutesFrom{120};  // "90.0 s" reads better than "1.50 min"
constexpr Seconds kHoursFrom{7200};
constexpr double kWholeWattsBelow = 1e5;  // above, kW and MW

}  // namespace

std::string print_number(double number, int significant_digits) {
  if (std::isnan(number)) return "nan";
  if (std::isinf(number)) return number > 0 ? "inf" : "-inf";
  if (number == 0) return "0";
  const int digits = std::clamp(significant_digits, 1, 17);
  std::string scientific = fmt::format("{:.{}e}", number, digits - 1);  // rounds, so 9.996 is 1.00e+01
  const std::size_t mark = scientific.find('e');
  const int exponent = std::stoi(scientific.substr(mark + 1));
  if (exponent < -6 || exponent >= 15) return scientific;
  double rounded = 0;
  std::from_chars(scientific.data(), scientific.data() + scientific.size(), rounded);
  return fixed(rounded, std::max(0, digits - 1 - exponent));
}

std::string print_count(double count) {
  if (!std::isfinite(count) || std::abs(count) >= 1e15) return print_number(count);
  return fixed(std::round(count), 0);
}

std::string print_gib(Bytes bytes) { return print_number(bytes / kGiB) + " GiB"; }
std::string print_gb(Bytes bytes) { return print_number(bytes / kGB) + " GB"; }

std::string print_time(Seconds seconds) {
  constexpr Scale kScales[] = {{1e-9, "ns"}, {1e-6, "us"}, {1e-3, "ms"}, {1, "s"}};
  const double size = std::abs(seconds.value());
  if (size >= kHoursFrom.value()) return print_number(seconds / kHour) + " h";
  if (size >= kMinutesFrom.value()) return print_number(seconds.value() / 60) + " min";
  return print_scaled(seconds.value(), kScales, "s");
}

std::string print_bandwidth(BytesPerSecond bandwidth) {
  constexpr Scale kScales[] = {{1, "B/s"}, {1e3, "kB/s"}, {1e6, "MB/s"}, {1e9, "GB/s"}, {1e12, "TB/s"}, {1e15, "PB/s"}};
  return print_scaled(bandwidth.value(), kScales, "B/s");
}

std::string print_watts(Watts watts) {
  const double value = watts.value();
  if (std::abs(value) >= 0.9995e6) return print_number(value / 1e6) + " MW";
  if (std::abs(value) >= kWholeWattsBelow) return print_number(value / 1e3) + " kW";
  if (std::abs(value) >= 99.95) return print_count(value) + " W";
  return print_number(value) + " W";
}

// Whole units from 100 on, cents below, three digits below a cent (a price per thousand tokens).
std::string print_money(Money money) {
  const std::string_view currency = currency_code(money.currency);
  const double size = std::abs(money.amount);
  if (!std::isfinite(size) || size >= 99.995) return fmt::format("{} {}", print_count(money.amount), currency);
  if (size == 0 || size >= 0.00995) return fmt::format("{} {}", fixed(money.amount, 2), currency);
  return fmt::format("{} {}", print_number(money.amount), currency);
}

}  // namespace oblea
