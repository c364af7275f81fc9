// Report: the answer of a run as data: metrics in rows, verdicts, tables, bill and provenance. Printing is elsewhere.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cost/bill.hpp"
#include "hardware/sourced.hpp"
#include "units/quantity.hpp"

namespace oblea {

enum class Origin { measured_here, measured_elsewhere, datasheet, estimate };

std::string_view origin_name(Origin origin);

// One figure. Every figure has a band; an exact count has low = value = high.
struct Metric {
  std::string name;  // unit last: "decode_tokens_per_s"
  double value = 0;
  std::string unit;
  double low = 0;
  double high = 0;
  Origin origin = Origin::estimate;
};

enum class Answer { yes, tight, no };

// A "fits", "trips", "overheats": an answer, never an error.
struct Verdict {
  std::string name;  // "does-not-fit", "psu-overloaded": what --fail-on takes
  Answer answer = Answer::yes;
  std::string words;  // with the arithmetic
};

// Memory of one device, for the table of `place`.
struct DeviceRow {
  std::string device;
  std::string layers;  // "0-39"
  Bytes capacity{};
  Bytes weights{};
  Bytes kv{};
  Bytes state{};
  Bytes runtime{};
  Bytes free{};
  Bytes buffers{};  // of the engine for this model and context; `runtime` is there whatever the model
};

// One thing that would fit, or an option beside the asked one.
struct OptionRow {
  std::string name;  // "IQ2_M, layer split"
  bool fits = false;
  std::string words;  // "about 13,100 tokens of context"
  double tokens = 0;
  double tokens_per_s = 0;  // 0: not computed
};

enum class ClaimOutcome { confirmed, refuted, unknown };

struct ClaimRow {
  std::string statement;
  std::string metric;
  std::string claimed;   // "fits = true"
  std::string computed;  // with band
  ClaimOutcome outcome = ClaimOutcome::unknown;
  std::string arithmetic;
};

// One build that `size` offers.
struct BuildRow {
  std::string name;   // "2x RTX 3090 (used), AM4 ..."
  std::string label;  // "fastest", "cheapest", "fewest watts"; may be empty
  std::string mixture;
  std::string placement;  // "layer split, 40 + 40 layers"
  Bill bill;
  std::vector<Metric> metrics;  // price, speed, watts, ...
  std::vector<Verdict> verdicts;
  std::vector<DeviceRow> devices;
};

// One cheaper thing that was not offered, and the arithmetic why.
struct LostRow {
  std::string name;
  Money price;  // of the parts that decide
  std::string why;
};

// Rows of numbers and words under named columns, where no struct above fits. The first column names the row.
using Cell = std::variant<std::string, double>;

struct Column {
  std::string name;  // unit last: "kv_gib"; words and numbers do not share a column
  std::string unit;  // empty for words
};

struct Table {
  std::string name;  // "layers"
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;  // each as long as `columns`
};

// What to type to get what was planned.
struct LaunchLine {
  std::string node;     // "node1"
  std::string command;  // for a POSIX shell
};

struct Report {
  std::string command;  // "place", "size"
  std::string question;
  std::string version;
  std::string input_hash;
  std::string profiles_hash;
  std::vector<Metric> metrics;
  std::vector<Verdict> verdicts;
  std::vector<DeviceRow> placement;
  bool memory_in_gb = false;  // wafers are sold in GB, cards in GiB
  std::vector<Table> tables;
  std::vector<OptionRow> options;
  std::vector<LaunchLine> launch;  // in the order in which they are to be started
  std::vector<ClaimRow> claims;
  std::optional<Bill> bill;
  std::vector<BuildRow> builds;  // `size`: best first
  std::vector<LostRow> lost;
  std::vector<std::string> notes;       // what was assumed
  std::vector<std::string> provenance;  // sources of the numbers that decide
};

const Metric* find_metric(const std::vector<Metric>& metrics, std::string_view name);
const Metric* find_metric(std::vector<Metric>&& metrics,
                          std::string_view name) = delete;  // it would point into nothing

// A metric with its band; low and high are put in order and widened to hold the value.
Metric make_metric(std::string name, double value, std::string unit, double low, double high, Origin origin);
Metric exact_metric(std::string name, double value, std::string unit, Origin origin = Origin::datasheet);

}  // namespace oblea
