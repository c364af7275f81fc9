#include "io/openmetrics_file.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <set>

#include <fmt/format.h>

#include "base/check.hpp"

namespace oblea {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_name(const std::string& name, bool takes_colon) {
  const auto fits = [&](char c) { return is_letter(c) || is_digit(c) || (takes_colon && c == ':'); };
  return !name.empty() && !is_digit(name.front()) && std::all_of(name.begin(), name.end(), fits);
}

bool ends_with(const std::string& name, const std::string& unit) {
  const std::string ending = "_" + unit;
  return name.size() > ending.size() && name.compare(name.size() - ending.size(), ending.size(), ending) == 0;
}

// Of help texts and label values alike; other control characters are letters to the format.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\n') {
      result += "\\n";
      continue;
    }
    if (c == '\\' || c == '"') result += '\\';
    result += c;
  }
  return result;
}

std::string label_set(const std::vector<Label>& labels) {
  std::set<std::string> names;
  std::string text;
  for (const Label& label : labels) {
    OBLEA_CHECK(is_name(label.name, false), "a label's name has letters, digits and underscores");
    OBLEA_CHECK(names.insert(label.name).second, "a label stands once in a series");
    text += fmt::format("{}{}=\"{}\"", text.empty() ? "" : ",", label.name, escaped(label.value));
  }
  return text.empty() ? "" : "{" + text + "}";
}

std::string number(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  return fmt::format("{}", value);
}

void add_series(std::string& text, const std::string& name, const Series& series, double start_s) {
  const std::string head = name + label_set(series.labels);
  std::int64_t last_ms = -1;
  for (const Sample& sample : series.samples) {
    const std::int64_t ms = std::llround((start_s + sample.time_s) * 1000);
    OBLEA_CHECK(ms > last_ms, "samples of a series are at least a millisecond apart");
    fmt::format_to(std::back_inserter(text), "{} {} {}.{:03}\n", head, number(sample.value), ms / 1000, ms % 1000);
    last_ms = ms;
  }
}

void add_family(std::string& text, const MetricFamily& family, double start_s) {
  OBLEA_CHECK(is_name(family.name, true), "a metric's name has letters, digits, underscores and colons");
  OBLEA_CHECK(family.unit.empty() || ends_with(family.name, family.unit), "a metric's name ends in its unit");
  text += fmt::format("# TYPE {} gauge\n", family.name);
  if (!family.unit.empty()) text += fmt::format("# UNIT {} {}\n", family.name, family.unit);
  text += fmt::format("# HELP {} {}\n", family.name, escaped(family.help));
  std::set<std::string> seen;
  for (const Series& series : family.series) {
    OBLEA_CHECK(seen.insert(label_set(series.labels)).second, "a set of labels stands once in a family");
    add_series(text, family.name, series, start_s);
  }
}

bool is_empty(const MetricFamily& family) {
  return std::all_of(family.series.begin(), family.series.end(), [](const Series& s) { return s.samples.empty(); });
}

}  // namespace

std::string write_openmetrics(const TimeSeries& time_series, double start_s) {
  OBLEA_CHECK(start_s >= 0, "a run begins after 1970");
  std::string text;
  std::set<std::string> names;
  for (const MetricFamily& family : time_series) {
    OBLEA_CHECK(names.insert(family.name).second, "a family stands once in a file");
    if (!is_empty(family)) add_family(text, family, start_s);
  }
  return text + "# EOF\n";
}

}  // namespace oblea
