#include "report/print_report.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/printable.hpp"
#include "report/text_table.hpp"
#include "units/print.hpp"

namespace oblea {
namespace {

constexpr int kWidth = 110;

const char* answer_word(Answer answer) {
  switch (answer) {
    case Answer::yes:
      return "yes";
    case Answer::tight:
      return "tight";
    case Answer::no:
      return "NO";
  }
  return "";
}

std::string heading(const std::string& words) { return "\n" + words + "\n"; }

// Numbers in full where a person reads them in full (tokens, euros, watts), else three digits.
std::string print_figure(double value) {
  const double size = value < 0 ? -value : value;
  return size >= 1000 ? print_count(value) : print_number(value);
}

std::string print_band(const Metric& metric) {
  if (metric.low == metric.high) return "exact";
  return fmt::format("{} to {}", print_figure(metric.low), print_figure(metric.high));
}

std::string print_metrics(const std::vector<Metric>& metrics) {
  TextTable table({"figure", ">value", "unit", "band", "origin"});
  for (const Metric& metric : metrics) {
    table.add({metric.name, print_figure(metric.value), metric.unit, print_band(metric),
               std::string(origin_name(metric.origin))});
  }
  return table.print();
}

std::string print_verdicts(const std::vector<Verdict>& verdicts) {
  std::string text;
  for (const Verdict& verdict : verdicts) {
    text += fmt::format("  [{}] {}\n", answer_word(verdict.answer), printable(verdict.name));
    text += wrap_text(verdict.words, kWidth, 6);
  }
  return text;
}

// Rows that hold the same, told once: a chain of wafers repeats itself.
struct DeviceGroup {
  const DeviceRow* first;
  int count = 0;
  std::string layers;
};

bool hold_the_same(const DeviceRow& a, const DeviceRow& b) {
  return a.capacity == b.capacity && a.weights == b.weights && a.kv == b.kv && a.state == b.state &&
         a.buffers == b.buffers && a.runtime == b.runtime;
}

std::vector<DeviceGroup> group_devices(const std::vector<DeviceRow>& devices) {
  constexpr std::size_t kShownOneByOne = 16;
  constexpr int kLayersShown = 4;
  std::vector<DeviceGroup> groups;
  for (const DeviceRow& row : devices) {
    const auto same = [&](const DeviceGroup& group) { return hold_the_same(*group.first, row); };
    const auto it = devices.size() <= kShownOneByOne ? groups.end() : std::find_if(groups.begin(), groups.end(), same);
    if (it == groups.end()) {
      groups.push_back({&row, 1, row.layers});
      continue;
    }
    if (++it->count <= kLayersShown)
      it->layers += " | " + row.layers;
    else if (it->count == kLayersShown + 1)
      it->layers += " | ...";
  }
  return groups;
}

std::string print_devices(const std::vector<DeviceRow>& devices, bool in_gb = false) {
  const auto print_memory = in_gb ? print_gb : print_gib;
  TextTable table({"device", "layers", ">installed", ">weights", ">KV", ">state", ">buffers", ">runtime", ">free"});
  for (const DeviceGroup& group : group_devices(devices)) {
    const DeviceRow& row = *group.first;
    table.add({group.count > 1 ? fmt::format("{}x like {}", group.count, row.device) : row.device, group.layers,
               print_memory(row.capacity), print_memory(row.weights), print_memory(row.kv), print_memory(row.state),
               print_memory(row.buffers), print_memory(row.runtime), print_memory(row.free)});
  }
  return table.print();
}

std::string print_table(const Table& table) {
  std::vector<std::string> headings;
  for (const Column& column : table.columns) headings.push_back((column.unit.empty() ? "" : ">") + column.name);
  TextTable text(std::move(headings));
  for (const std::vector<Cell>& row : table.rows) {
    std::vector<std::string> cells;
    for (const Cell& cell : row) {
      const double* number = std::get_if<double>(&cell);
      cells.push_back(number == nullptr ? std::get<std::string>(cell) : print_figure(*number));
    }
    text.add(std::move(cells));
  }
  return text.print();
}

// Not wrapped: each is to be copied whole.
std::string print_launch(const std::vector<LaunchLine>& lines) {
  std::string text;
  for (const LaunchLine& line : lines) {
    text += fmt::format("  {}: {}\n", printable(line.node), printable(line.command));
  }
  return text;
}

std::string print_options(const std::vector<OptionRow>& options) {
  TextTable table({"option", "fits", ">tok/s a user", "what it leaves"});
  for (const OptionRow& row : options) {
    table.add(
        {row.name, row.fits ? "yes" : "no", row.tokens_per_s > 0 ? print_number(row.tokens_per_s) : "", row.words});
  }
  return table.print();
}

std::string print_bill(const Bill& bill) {
  TextTable table({">count", "part", ">each", ">sum", "", "price dated", "source"});
  for (const BillLine& line : bill.lines) {
    const Result<Money> sum = line_total(line, bill.currency, bill.rates);
    const bool label = line.source.confidence == Confidence::estimate && !line.source.text.starts_with("estimate");
    table.add({fmt::format("{}", line.count), line.name, print_money(line.unit_price),
               sum ? print_money(*sum) : "no rate", line.condition == Condition::used ? "used" : "new",
               line.source.date, (label ? "estimate: " : "") + cut_text(line.source.text, 60)});
  }
  std::string text = table.print();
  if (const auto total = bill_total(bill)) {
    text += fmt::format("  total {} ({} to {})\n", print_money(total->value), print_money(total->low),
                        print_money(total->high));
  }
  return text;
}

const char* outcome_word(ClaimOutcome outcome) {
  switch (outcome) {
    case ClaimOutcome::confirmed:
      return "confirmed";
    case ClaimOutcome::refuted:
      return "REFUTED";
    case ClaimOutcome::unknown:
      return "not checked";
  }
  return "";
}

std::string print_claims(const std::vector<ClaimRow>& claims) {
  std::string text;
  for (const ClaimRow& claim : claims) {
    text += fmt::format("  [{}] \"{}\"\n", outcome_word(claim.outcome), printable(claim.statement));
    text += wrap_text(fmt::format("claimed: {}; computed: {}", claim.claimed, claim.computed), kWidth, 6);
    if (!claim.arithmetic.empty()) text += wrap_text(claim.arithmetic, kWidth, 6);
  }
  return text;
}

std::string cell(const BuildRow& build, const char* name) {
  const Metric* metric = find_metric(build.metrics, name);
  return metric == nullptr ? "" : print_figure(metric->value);
}

std::string cell_band(const BuildRow& build, const char* name) {
  const Metric* metric = find_metric(build.metrics, name);
  return metric == nullptr ? "" : fmt::format("{}-{}", print_figure(metric->low), print_figure(metric->high));
}

// The first of the ranking, and those that are best in some other way.
std::vector<std::size_t> builds_to_show(const Report& report, std::size_t first) {
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < report.builds.size(); ++i) {
    if (i < first || !report.builds[i].label.empty()) shown.push_back(i);
  }
  return shown;
}

std::string print_build_table(const Report& report, const std::vector<std::size_t>& shown) {
  const Metric* price = find_metric(report.builds.front().metrics, "price");
  TextTable table({">rank", "build", "quant", ">" + (price == nullptr ? "" : price->unit), ">tok/s a user", ">(band)",
                   ">first token s", ">wall W", ">free GiB", "why"});
  for (const std::size_t i : shown) {
    const BuildRow& build = report.builds[i];
    table.add({fmt::format("{}", i + 1), build.name, build.mixture, cell(build, "price"),
               cell(build, "decode_tokens_per_s"), cell_band(build, "decode_tokens_per_s"), cell(build, "ttft_s"),
               cell(build, "wall_decode_w"), cell(build, "memory_free_gib"), build.label});
  }
  return table.print();
}

std::string print_best(const BuildRow& build) {
  std::string text = heading(fmt::format("Best: {}", printable(build.name)));
  text += fmt::format("  {}, {}\n", printable(build.mixture), printable(build.placement));
  text += heading("Bill of materials") + print_bill(build.bill);
  text += heading("Memory of each device") + print_devices(build.devices);
  text += heading("Figures") + print_metrics(build.metrics);
  text += heading("Verdicts") + print_verdicts(build.verdicts);
  return text;
}

std::string print_builds(const Report& report, const PrintOptions& options) {
  std::string text;
  const std::vector<std::size_t> shown = builds_to_show(report, static_cast<std::size_t>(options.builds));
  if (!shown.empty()) {
    text += heading(fmt::format(
        "Builds that answer the question ({} shown of {} that no other beats in price, speed, watts and bits)",
        shown.size(), report.builds.size()));
    text += print_build_table(report, shown);
    text += print_best(report.builds.front());
  }
  if (!report.lost.empty()) {
    text += heading("Cheaper, and why they lost");
    TextTable table({"build", ">parts that decide", "why"});
    for (std::size_t i = 0; i < std::min(report.lost.size(), static_cast<std::size_t>(options.lost)); ++i) {
      table.add({report.lost[i].name, print_money(report.lost[i].price), report.lost[i].why});
    }
    text += table.print();
  }
  return text;
}

}  // namespace

std::string print_report(const Report& report, const PrintOptions& options) {
  std::string text = wrap_text(report.question, kWidth, 0);
  if (!report.verdicts.empty()) text += heading("Answer") + print_verdicts(report.verdicts);
  text += print_builds(report, options);
  if (!report.placement.empty())
    text += heading("Memory of each device") + print_devices(report.placement, report.memory_in_gb);
  if (!report.launch.empty()) text += heading("Launch") + print_launch(report.launch);
  for (const Table& table : report.tables) text += heading(table.name) + print_table(table);
  if (!report.options.empty()) text += heading("What else was tried") + print_options(report.options);
  if (!report.metrics.empty())
    text += heading(report.command == "size" ? "The search" : "Figures") + print_metrics(report.metrics);
  if (report.bill) text += heading("Bill of materials") + print_bill(*report.bill);
  if (!report.claims.empty()) text += heading("Claims") + print_claims(report.claims);
  if (!report.notes.empty()) {
    text += heading("Assumed");
    for (const std::string& note : report.notes) text += wrap_text("- " + note, kWidth, 2);
  }
  text += "\noblea " + report.version;
  if (!report.input_hash.empty()) text += ", input " + report.input_hash;
  if (!report.profiles_hash.empty()) text += ", library " + report.profiles_hash;
  text += "\n";
  return text;
}

}  // namespace oblea
