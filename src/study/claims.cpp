#include "study/claims.hpp"

#include <cmath>

#include <fmt/core.h>

#include "study/wafer_figures.hpp"
#include "units/print.hpp"

namespace oblea {
namespace {

const char* relation_word(Relation relation) {
  switch (relation) {
    case Relation::equal:
      return "=";
    case Relation::at_least:
      return ">=";
    case Relation::at_most:
      return "<=";
    case Relation::about:
      return "about";
  }
  return "";
}

std::string print_value(double value, bool boolean) {
  if (boolean) return value != 0 ? "yes" : "no";
  return std::abs(value) >= 1000 ? print_count(value) : print_number(value);
}

std::string print_computed(const Metric& metric, bool boolean) {
  std::string value = print_value(metric.value, boolean);
  if (boolean) return value;
  if (metric.low == metric.high) return fmt::format("{} {}", value, metric.unit);
  return fmt::format("{} {} ({} to {})", value, metric.unit, print_value(metric.low, false),
                     print_value(metric.high, false));
}

// The sentence that explains a memory verdict, or whichever verdict says no.
std::string arithmetic_of(const Report& report, const std::string& metric) {
  for (const Verdict& verdict : report.verdicts) {
    if (metric == "fits" && verdict.name == "does-not-fit") return verdict.words;
    if ((metric.starts_with("wall") || metric.starts_with("circuit")) && verdict.name.starts_with("circuit"))
      return verdict.words;
    if (metric.starts_with("wafer") && verdict.name == "does-not-fit") return verdict.words;
  }
  for (const std::string& note : report.notes) {
    const bool rate = metric.find("tokens_per_s") != std::string::npos || metric == "hop_share_percent";
    if (rate && note.starts_with(kTokenWay)) return note;
  }
  return "";
}

ClaimRow judge(const Claim& claim, const Report& report) {
  ClaimRow row;
  row.statement = claim.statement;
  row.metric = claim.metric;
  row.claimed =
      fmt::format("{} {} {}", claim.metric, relation_word(claim.relation), print_value(claim.value, claim.boolean));
  const Metric* metric = find_metric(report.metrics, claim.metric);
  if (metric == nullptr) {
    row.computed = "this run has no such figure";
    return row;
  }
  row.computed = print_computed(*metric, claim.boolean);
  row.arithmetic = arithmetic_of(report, claim.metric);
  const bool confirmed = holds(metric->value, claim.relation, claim.value, claim.tolerance);
  row.outcome = confirmed ? ClaimOutcome::confirmed : ClaimOutcome::refuted;
  if (!band_agrees(*metric, claim.relation, claim.value, claim.tolerance)) {
    row.computed += "; the band leaves room for the opposite";
  }
  return row;
}

}  // namespace

bool holds(double computed, Relation relation, double claimed, double tolerance) {
  switch (relation) {
    case Relation::equal:
      return computed == claimed;
    case Relation::at_least:
      return computed >= claimed;
    case Relation::at_most:
      return computed <= claimed;
    case Relation::about:
      return std::abs(computed - claimed) <= std::abs(claimed) * tolerance;
  }
  return false;
}

bool band_agrees(const Metric& metric, Relation relation, double claimed, double tolerance) {
  const bool answer = holds(metric.value, relation, claimed, tolerance);
  if (relation == Relation::equal) return metric.low == metric.high;
  if (holds(metric.low, relation, claimed, tolerance) != answer ||
      holds(metric.high, relation, claimed, tolerance) != answer) {
    return false;
  }
  // "about" is an interval: a band that spans all of it holds both answers although both of its ends are outside.
  return relation != Relation::about || answer || metric.high < claimed || metric.low > claimed;
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
    if (variant)
      rows.push_back(judge(claim, *variant));
    else
      faults.insert(faults.end(), variant.error().begin(), variant.error().end());
  }
  if (!faults.empty()) return fail(std::move(faults));
  return rows;
}

}  // namespace oblea
