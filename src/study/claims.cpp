#include "study/claims.hpp"

#include <cmath>

#include <fmt/core.h>

#include "units/print.hpp"

namespace oblea {
namespace {

const char* relation_word(Relation relation) {
  switch (relation) {
    case Relation::equal: return "=";
    case Relation::at_least: return ">=";
    case Relation::at_most: return "<=";
    case Relation::about: return "about";
  }
  return "";
}

std::string print_value(double value, bool boolean) {
  if (boolean) return value != 0 ? "yes" : "no";
  return std::abs(value) >= 1000 ? print_count(value) : print_number(value);
}

std::string print_computed(const Metric& metric, bool boolean) {
  const std::string value = print_value(metric.value, boolean);
  if (boolean || metric.low == metric.high) return fmt::format("{} {}", value, metric.unit);
  return fmt::format("{} {} ({} to {})", value, metric.unit, print_value(metric.low, false), print_value(metric.high, false));
}

// The sentence that explains a memory verdict, or whichever verdict says no.
std::string arithmetic_of(const Report& report, const std::string& metric) {
  for (const Verdict& verdict : report.verdicts) {
    if (metric == "fits" && verdict.name == "does-not-fit") return verdict.words;
    if (metric.starts_with("wall") && verdict.name.starts_with("circuit")) return verdict.words;
    if (metric.starts_with("wafer") && verdict.name == "does-not-fit") return verdict.words;
  }
  return "";
}

ClaimRow judge(const Claim& claim, const Report& report) {
  ClaimRow row;
  row.statement = claim.statement;
  row.metric = claim.metric;
  row.claimed = fmt::format("{} {} {}", claim.metric, relation_word(claim.relation), print_value(claim.value, claim.boolean));
  const Metric* metric = find_metric(report.metrics, claim.metric);
  if (metric == nullptr) {
    row.computed = "this run has no such figure";
    return row;
  }
  row.computed = print_computed(*metric, claim.boolean);
  row.arithmetic = arithmetic_of(report, claim.metric);
  const bool holds = band_satisfies(*metric, claim.relation, claim.value, claim.tolerance);
  row.outcome = holds ? ClaimOutcome::confirmed : ClaimOutcome::refuted;
  return row;
}

}  // namespace

bool band_satisfies(const Metric& metric, Relation relation, double value, double tolerance) {
  switch (relation) {
    case Relation::equal: return metric.low <= value && value <= metric.high;
    case Relation::at_least: return metric.high >= value;
    case Relation::at_most: return metric.low <= value;
    case Relation::about: {
      const double slack = std::abs(value) * tolerance;
      return metric.low <= value + slack && value - slack <= metric.high;
    }
  }
  return false;
}

Result<std::vector<ClaimRow>> check_claims(const Scenario& scenario, const Report& report, const Evaluate& evaluate) {
  std::vector<ClaimRow> rows;
  Diagnostics faults;
  for (const Claim& claim : scenario.claims) {
    if (claim.variant == nullptr) {
      rows.push_back(judge(claim, report));
      continue;
    }
    const Result<Report> variant = evaluate(*claim.variant);
    if (variant) rows.push_back(judge(claim, *variant));
    else faults.insert(faults.end(), variant.error().begin(), variant.error().end());
  }
  if (!faults.empty()) return fail(std::move(faults));
  return rows;
}

}  // namespace oblea
