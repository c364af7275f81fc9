#include "study/handover_cost.hpp"

#include <fmt/core.h>

#include "base/check.hpp"
#include "hardware/topology.hpp"
#include "llm/footprint.hpp"
#include "study/build_machine.hpp"
#include "study/machine_links.hpp"
#include "study/sub_cluster.hpp"
#include "units/print.hpp"

namespace oblea {
namespace {

const char* way_words(RouteClass route_class) {
  switch (route_class) {
    case RouteClass::same_device:
    case RouteClass::nvlink:
    case RouteClass::wafer_link:
      return "NVLink";
    case RouteClass::pcie_peer:
      return "PCIe";
    case RouteClass::pcie_through_host:
      return "PCIe and host memory";
    case RouteClass::ethernet_tcp:
      return "TCP";
    case RouteClass::rdma:
      return "RDMA";
  }
  return "";
}

Result<Route> narrowest(const Topology& topology, const Scenario& scenario) {
  const ServingSettings& serving = scenario.serving;
  std::optional<Route> narrow;
  for (int from = 0; from < serving.prefill_replicas; ++from) {
    for (int to = serving.prefill_replicas; to < serving.replicas; ++to) {
      const CardPlace a = first_card(scenario, from);
      const CardPlace b = first_card(scenario, to);
      const auto route = topology.route({a.node, a.card}, {b.node, b.card});
      if (!route) return fail(route.error().message);
      if (!narrow || route->goodput < narrow->goodput) narrow = *route;
    }
  }
  OBLEA_CHECK(narrow.has_value(), "a split has both parts");
  return *narrow;
}

}  // namespace

Result<HandoverCost> handover_cost(const Scenario& scenario, const ProfileLibrary& library) {
  const Result<Machine> machine = build_machine(scenario, library);
  if (!machine) return fail(machine.error());
  const Result<Topology> topology = Topology::make(make_cluster(*machine), library);
  if (!topology) return fail(topology.error());
  const Result<Route> route = narrowest(*topology, scenario);
  if (!route) return fail(route.error());
  const Mixture* mixture = find_mixture(scenario.mixture);
  OBLEA_CHECK(mixture != nullptr, "the scenario reader checks quantisations");
  const ModelFootprint model = make_footprint(scenario.model, *mixture, scenario.cache());
  const Tokens prompt = prompt_length(scenario.workload);
  const Bytes token = request_bytes(model, prompt) * (1 / prompt.value());
  HandoverCost handover;
  handover.latency_s = route->latency.value();
  handover.s_per_token = (token / route->goodput).value();
  handover.words = fmt::format("{:.3g} KiB a token over {} at {}", token.value() / 1024, way_words(route->route_class),
                               print_bandwidth(route->goodput));
  return handover;
}

}  // namespace oblea
