#include "io/scenario_serving.hpp"

#include <fmt/core.h>

#include "base/limits.hpp"
#include "io/scenario_sections.hpp"

namespace oblea {

void parse_serving(ObjectReader& root, Scenario& scenario) {
  std::optional<ObjectReader> section = member_object(root, "serving");
  if (!section) return;
  ObjectReader& reader = *section;
  ServingSettings& serving = scenario.serving;
  const auto count = [&](const char* key, int fallback, int low) {
    return static_cast<int>(reader.integer_or(key, fallback, Range::between(low, kMaxReplicas)));
  };
  const std::size_t faults_before = reader.diagnostics().size();
  serving.replicas = count("replicas", serving.replicas, 1);
  serving.prefill_replicas = count("prefill_replicas", serving.prefill_replicas, 0);
  const bool sound = reader.diagnostics().size() == faults_before;  // else stand-ins would be compared
  if (sound && serving.prefill_replicas >= serving.replicas && serving.prefill_replicas > 0) {
    reader.fault(*reader.optional("prefill_replicas"),
                 fmt::format("{} of {} replicas read prompts: none is left to answer", serving.prefill_replicas,
                             serving.replicas),
                 "\"prefill_replicas\" are counted in \"replicas\"");
  }
  const std::string balancing = reader.choice_or("balancing", {"least-requests", "round-robin"}, "least-requests");
  serving.balancing = balancing == "round-robin" ? Balancing::round_robin : Balancing::least_requests;
  reader.finish();
}

}  // namespace oblea
