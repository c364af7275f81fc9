#include "report/print_report.hpp"

#include <fmt/core.h>

#include "base/printable.hpp"
#include "report/text_table.hpp"
#include "units/print.hpp"

namespace oblea {
namespace {

constexpr int kWidth = 110;

const char* answer_word(Answer answer) {
  switch (answer) {
    case Answer::yes: return "yes";
    case Answer::tight: return "tight";
    case Answer::no: return "NO";
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
    text += fmt::format("  [{}] {}\n", answer_word(verdict.answer), verdict.name);
    text += wrap_text(verdict.words, kWidth, 6);
  }
  return text;
}

std::string print_devices(const std::vector<DeviceRow>& devices) {
  TextTable table({"device", "layers", ">installed", ">weights", ">KV", ">state", ">runtime", ">free"});
  for (const DeviceRow& row : devices) {
    table.add({row.device, row.layers, print_gib(row.capacity), print_gib(row.weights), print_gib(row.kv),
               print_gib(row.state), print_gib(row.runtime), print_gib(row.free)});
  }
  return table.print();
}

std::string print_options(const std::vector<OptionRow>& options) {
  TextTable table({"option", "fits", ">tok/s a user", "what it leaves"});
  for (const OptionRow& row : options) {
    table.add({row.name, row.fits ? "yes" : "no", row.tokens_per_s > 0 ? print_number(row.tokens_per_s) : "", row.words});
  }
  return table.print();
}

std::string print_bill(const Bill& bill) {
  TextTable table({">count", "part", ">each", ">sum", "", "price dated", "source"});
  for (const BillLine& line : bill.lines) {
    const Result<Money> sum = line_total(line, bill.currency, bill.rates);
    const bool estimate = line.source.confidence == Confidence::estimate;
    table.add({fmt::format("{}", line.count), line.name, print_money(line.unit_price), sum ? print_money(*sum) : "no rate",
               line.condition == Condition::used ? "used" : "new", line.source.date,
               (estimate ? "estimate: " : "") + cut_text(line.source.text, 48)});
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
    case ClaimOutcome::confirmed: return "confirmed";
    case ClaimOutcome::refuted: return "REFUTED";
    case ClaimOutcome::unknown: return "not checked";
  }
  return "";
}

std::string print_claims(const std::vector<ClaimRow>& claims) {
  std::string text;
  for (const ClaimRow& claim : claims) {
    text += fmt::format("  [{}] \"{}\"\n", outcome_word(claim.outcome), claim.statement);
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

std::string print_build_table(const Report& report, std::size_t shown) {
  TextTable table({">#", "build", "quant", ">EUR", ">tok/s a user", ">(band)", ">first token s", ">wall W", ">free GiB", "why"});
  for (std::size_t i = 0; i < shown; ++i) {
    const BuildRow& build = report.builds[i];
    table.add({fmt::format("{}", i + 1), build.name, build.mixture, cell(build, "price"),
               cell(build, "decode_tokens_per_s"), cell_band(build, "decode_tokens_per_s"), cell(build, "ttft_s"),
               cell(build, "wall_decode_w"), cell(build, "memory_free_gib"), build.label});
  }
  return table.print();
}

std::string print_best(const BuildRow& build) {
  std::string text = heading(fmt::format("Best: {}", build.name));
  text += fmt::format("  {}, {}\n", build.mixture, build.placement);
  text += heading("Bill of materials") + print_bill(build.bill);
  text += heading("Memory of each device") + print_devices(build.devices);
  text += heading("Figures") + print_metrics(build.metrics);
  text += heading("Verdicts") + print_verdicts(build.verdicts);
  return text;
}

std::string print_builds(const Report& report, const PrintOptions& options) {
  std::string text;
  const std::size_t shown = std::min(report.builds.size(), static_cast<std::size_t>(options.builds));
  if (shown > 0) {
    text += heading(fmt::format("Builds that answer the question ({} of {} on the Pareto front)", shown,
                                report.builds.size()));
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
  if (!report.placement.empty()) text += heading("Memory of each device") + print_devices(report.placement);
  if (!report.options.empty()) text += heading("What else was tried") + print_options(report.options);
  if (!report.metrics.empty()) text += heading("Figures") + print_metrics(report.metrics);
  if (report.bill) text += heading("Bill of materials") + print_bill(*report.bill);
  if (!report.claims.empty()) text += heading("Claims") + print_claims(report.claims);
  if (!report.notes.empty()) {
    text += heading("Assumed");
    for (const std::string& note : report.notes) text += wrap_text("- " + note, kWidth, 2);
  }
  text += fmt::format("\noblea {}, input {}, library {}\n", report.version, report.input_hash, report.library_hash);
  return text;
}

}  // namespace oblea
