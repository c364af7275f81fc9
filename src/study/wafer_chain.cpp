#include "study/wafer_chain.hpp"

#include <fmt/core.h>

#include "base/check.hpp"
#include "llm/mixture.hpp"
#include "units/print.hpp"

namespace oblea {

WaferRule find_wafer_rule(const std::string& name) {
  for (const WaferRule rule : {WaferRule::full_attention_alone, WaferRule::two_everywhere, WaferRule::any_order}) {
    if (wafer_rule_name(rule) == name) return rule;
  }
  OBLEA_CHECK(false, "the scenario reader checks wafer rules");
  return WaferRule::full_attention_alone;
}

std::vector<int> wafer_entries(const WaferPlan& plan, int layers) {
  std::vector<std::size_t> home(static_cast<std::size_t>(layers));
  for (std::size_t w = 0; w < plan.wafers.size(); ++w) {
    for (const int layer : plan.wafers[w].layers) home[static_cast<std::size_t>(layer)] = w;
  }
  std::vector<int> entries(plan.wafers.size());
  for (std::size_t l = 1; l < home.size(); ++l) entries[home[l]] += home[l] != home[l - 1] ? 1 : 0;
  return entries;
}

Verdict wafer_fit_verdict(const WaferPlan& plan, const Scenario& scenario, const Device& wafer) {
  const double users = scenario.workload.users;
  const Tokens room = tokens_per_request(plan, users);
  const bool fits = plan.too_large_layer < 0 && users <= plan.requests_max && room >= scenario.workload.context;
  if (plan.too_large_layer >= 0) {
    return {"does-not-fit", Answer::no,
            fmt::format("layer {} is larger than a wafer of {}", plan.too_large_layer + 1, print_gb(plan.sram))};
  }
  return {fits ? "fits" : "does-not-fit", fits ? Answer::yes : Answer::no,
          fmt::format("{} at {} takes {} {} under the rule {}; {} requests may have {} tokens each (asked: {})",
                      scenario.model.name, mixture_words(scenario.mixture, scenario.model), plan.wafers.size(),
                      wafer.name, wafer_rule_name(plan.rules.rule), print_count(users), print_count(room.value()),
                      print_count(scenario.workload.context.value()))};
}

}  // namespace oblea
