#include "io/timestamp.hpp"

#include <chrono>
#include <cstddef>

namespace oblea {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Takes a number of exactly `digits` digits off the front; -1 where there is none.
int take_number(std::string_view& text, std::size_t digits) {
  if (text.size() < digits) return -1;
  int value = 0;
  for (std::size_t i = 0; i < digits; ++i) {
    if (!is_digit(text[i])) return -1;
    value = value * 10 + (text[i] - '0');
  }
  text.remove_prefix(digits);
  return value;
}

bool take(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

// Seconds since 1970 of "2023-11-16".
std::optional<std::int64_t> take_date(std::string_view& text) {
  using namespace std::chrono;
  const int y = take_number(text, 4);
  if (y < 1970 || y > 2200 || !take(text, '-')) return std::nullopt;
  const int m = take_number(text, 2);
  if (m < 0 || !take(text, '-')) return std::nullopt;
  const int d = take_number(text, 2);
  const year_month_day date{year(y), month(static_cast<unsigned>(m)), day(static_cast<unsigned>(d))};
  if (d < 0 || !date.ok()) return std::nullopt;
  return sys_days(date).time_since_epoch().count() * std::int64_t{86400};
}

// Seconds of "18:15:46".
std::optional<std::int64_t> take_time_of_day(std::string_view& text) {
  const int hour = take_number(text, 2);
  if (hour < 0 || hour > 23 || !take(text, ':')) return std::nullopt;
  const int minute = take_number(text, 2);
  if (minute < 0 || minute > 59 || !take(text, ':')) return std::nullopt;
  const int second = take_number(text, 2);
  if (second < 0 || second > 59) return std::nullopt;
  return hour * 3600 + minute * 60 + second;
}

// Nanoseconds of ".6805900"; 0 where there is no point.
std::optional<std::int64_t> take_fraction(std::string_view& text) {
  if (!take(text, '.')) return 0;
  if (text.empty() || !is_digit(text.front())) return std::nullopt;
  std::int64_t nanoseconds = 0;
  for (std::int64_t unit = kSecond / 10; !text.empty() && is_digit(text.front()); unit /= 10) {
    nanoseconds += unit * (text.front() - '0');
    text.remove_prefix(1);
  }
  return nanoseconds;
}

// Seconds east of UTC of "", "Z", "+00:00", "-0530", "+01"; the text must end there.
std::optional<std::int64_t> take_zone(std::string_view text) {
  if (text.empty() || text == "Z" || text == "z") return 0;
  const bool west = text.front() == '-';
  if (!west && text.front() != '+') return std::nullopt;
  text.remove_prefix(1);
  const int hours = take_number(text, 2);
  if (hours < 0 || hours > 14) return std::nullopt;
  int minutes = 0;
  if (!text.empty()) {
    take(text, ':');
    minutes = take_number(text, 2);
  }
  if (minutes < 0 || minutes > 59 || !text.empty()) return std::nullopt;
  const std::int64_t seconds = hours * 3600 + minutes * 60;
  return west ? -seconds : seconds;
}

}  // namespace

std::optional<std::int64_t> parse_timestamp_ns(std::string_view text) {
  const auto date = take_date(text);
  if (!date || (!take(text, ' ') && !take(text, 'T'))) return std::nullopt;
  const auto time = take_time_of_day(text);
  if (!time) return std::nullopt;
  const auto fraction = take_fraction(text);
  if (!fraction) return std::nullopt;
  const auto zone = take_zone(text);
  if (!zone) return std::nullopt;
  return (*date + *time - *zone) * kSecond + *fraction;
}

}  // namespace oblea
