#include "engine/transfers.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/core.h>

#include "base/check.hpp"
#include "engine/forked_run.hpp"
#include "engine/result_bytes.hpp"
#include "engine/simgrid_engine.hpp"

namespace oblea {
namespace {

namespace s4u = simgrid::s4u;

constexpr std::size_t kMaxTransfers = 4096;  // ends of paths make a square table of routes
constexpr double kMaxBytes = 9e18;           // SimGrid counts in 64 bits

void note(Diagnostics& faults, std::string message) { faults.push_back({Severity::error, {}, std::move(message), ""}); }

bool is_amount(double number) { return std::isfinite(number) && number >= 0; }

void check_path(Diagnostics& faults, const Transfer& transfer, int resources) {
  if (transfer.path.empty()) note(faults, fmt::format("{} passes through nothing", transfer.name));
  for (std::size_t i = 0; i < transfer.path.size(); ++i) {
    const int at = transfer.path[i];
    if (at < 0 || at >= resources) {
      note(faults, fmt::format("{} passes through resource {} of {}", transfer.name, at, resources));
    } else if (std::count(transfer.path.begin(), transfer.path.begin() + static_cast<std::ptrdiff_t>(i), at) > 0) {
      note(faults, fmt::format("{} passes through resource {} twice", transfer.name, at));
    }
  }
}

Diagnostics check_transfers(const TransferPlan& plan) {
  Diagnostics faults;
  if (plan.transfers.size() > kMaxTransfers)
    note(faults, fmt::format("{} transfers; the limit is {}", plan.transfers.size(), kMaxTransfers));
  for (const SharedResource& resource : plan.resources) {
    if (!std::isfinite(resource.bytes_per_s) || resource.bytes_per_s <= 0)
      note(faults, fmt::format("{} moves {} bytes a second", resource.name, resource.bytes_per_s));
    if (!is_amount(resource.latency_s))
      note(faults, fmt::format("{} has a latency of {} s", resource.name, resource.latency_s));
  }
  for (std::size_t i = 0; i < plan.transfers.size(); ++i) {
    const Transfer& transfer = plan.transfers[i];
    check_path(faults, transfer, static_cast<int>(plan.resources.size()));
    if (!is_amount(transfer.bytes) || transfer.bytes > kMaxBytes)
      note(faults, fmt::format("{} moves {} bytes", transfer.name, transfer.bytes));
    if (!is_amount(transfer.rate_max_per_s))
      note(faults, fmt::format("{} moves {} bytes a second at most", transfer.name, transfer.rate_max_per_s));
    if (!is_amount(transfer.delay_s)) note(faults, fmt::format("{} waits {} s", transfer.name, transfer.delay_s));
    if (transfer.after < -1 || transfer.after >= static_cast<int>(i))
      note(faults, fmt::format("{} comes after transfer {}, which is no earlier one", transfer.name, transfer.after));
  }
  return faults;
}

// One actor a transfer; who comes after it is started by it.
class Play {
 public:
  explicit Play(const TransferPlan& plan) : plan_(plan), engine_(make_simgrid_engine()), next_(plan.transfers.size()) {
    times_.begin_s.assign(plan.transfers.size(), -1);
    times_.end_s.assign(plan.transfers.size(), -1);
    times_.bytes.assign(plan.resources.size(), 0);
    build();
  }

  TransferTimes run() {
    for (std::size_t i = 0; i < plan_.transfers.size(); ++i) {
      const int after = plan_.transfers[i].after;
      if (after < 0)
        start(i);
      else
        next_[static_cast<std::size_t>(after)].push_back(i);
    }
    engine_->run();
    OBLEA_CHECK(std::all_of(times_.end_s.begin(), times_.end_s.end(), [](double end_s) { return end_s >= 0; }),
                "every transfer ends");
    return times_;
  }

 private:
  using Ends = std::pair<s4u::Host*, s4u::Host*>;

  // A link a resource and a rate of a transfer's own, two hosts a path. Latencies are waited for apart: SimGrid would
  // weigh the shares with them.
  void build() {
    s4u::NetZone* zone = s4u::create_full_zone("resources");
    place_ = zone->create_host("place", 1);
    std::vector<const s4u::Link*> links;
    for (std::size_t i = 0; i < plan_.resources.size(); ++i)
      links.push_back(zone->create_link(fmt::format("resource{}", i), plan_.resources[i].bytes_per_s)->seal());
    std::map<std::vector<int>, Ends> paths;
    for (const Transfer& transfer : plan_.transfers) {
      std::vector<int> path = transfer.path;
      if (transfer.rate_max_per_s > 0) {
        path.push_back(static_cast<int>(links.size()));
        links.push_back(zone->create_link(fmt::format("own{}", links.size()), transfer.rate_max_per_s)->seal());
      }
      const auto [at, is_new] = paths.try_emplace(path);
      if (is_new) {
        at->second = {zone->create_host(fmt::format("from{}", paths.size()), 1),
                      zone->create_host(fmt::format("to{}", paths.size()), 1)};
        std::vector<s4u::LinkInRoute> route;
        route.reserve(path.size());
        for (const int link : path) route.emplace_back(links[static_cast<std::size_t>(link)]);
        zone->add_route(at->second.first->get_netpoint(), at->second.second->get_netpoint(), nullptr, nullptr, route,
                        false);
      }
      ends_.push_back(at->second);
    }
    zone->seal();
  }

  void start(std::size_t i) {
    s4u::Actor::create(fmt::format("transfer{}", i), place_, [this, i] { move(i); });
  }

  void move(std::size_t i) {
    const Transfer& transfer = plan_.transfers[i];
    if (transfer.delay_s > 0) s4u::this_actor::sleep_for(transfer.delay_s);
    times_.begin_s[i] = s4u::Engine::get_clock();
    double latency_s = 0;
    for (const int resource : transfer.path) latency_s += plan_.resources[static_cast<std::size_t>(resource)].latency_s;
    if (latency_s > 0) s4u::this_actor::sleep_for(latency_s);
    const auto bytes = static_cast<std::uint64_t>(std::round(transfer.bytes));
    if (bytes > 0) s4u::Comm::sendto(ends_[i].first, ends_[i].second, bytes);
    times_.end_s[i] = s4u::Engine::get_clock();
    for (const int resource : transfer.path) times_.bytes[static_cast<std::size_t>(resource)] += transfer.bytes;
    for (const std::size_t later : next_[i]) start(later);
  }

  const TransferPlan& plan_;
  std::unique_ptr<s4u::Engine> engine_;
  std::vector<std::vector<std::size_t>> next_;  // by transfer: those that come after it
  s4u::Host* place_ = nullptr;
  std::vector<Ends> ends_;  // by transfer
  TransferTimes times_;
};

}  // namespace

Result<TransferTimes> run_transfers(const TransferPlan& plan) {
  if (Diagnostics faults = check_transfers(plan); !faults.empty()) return fail(std::move(faults));
  const Result<std::string> bytes = run_forked([&plan](const Progress&) { return to_bytes(Play(plan).run()); });
  if (!bytes) return fail(bytes.error());
  return times_from_bytes(*bytes);
}

}  // namespace oblea
