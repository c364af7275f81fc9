#include "engine/clock.hpp"

#include <cmath>

#include <fmt/core.h>
#include <simgrid/s4u.hpp>

#include "engine/simgrid_engine.hpp"

namespace oblea {

namespace s4u = simgrid::s4u;

// A link has a host at each end; a hop is a transfer between them.
struct SimulatedTime::World {
  std::unique_ptr<s4u::Engine> engine;
  s4u::Host* place = nullptr;
  std::vector<s4u::Host*> ends;  // two a link
};

SimulatedTime::SimulatedTime(std::vector<LinkPlan> links)
    : links_(std::move(links)), world_(std::make_unique<World>()) {
  world_->engine = make_simgrid_engine();
  s4u::NetZone* zone = s4u::create_full_zone("cluster");
  world_->place = zone->create_host("server", 1);
  for (std::size_t i = 0; i < links_.size(); ++i) {
    s4u::Host* from = zone->create_host(fmt::format("link{} from", i), 1);
    s4u::Host* to = zone->create_host(fmt::format("link{} to", i), 1);
    const s4u::Link* link =
        zone->create_link(fmt::format("link{}", i), links_[i].bytes_per_s)->set_latency(links_[i].latency_s)->seal();
    zone->add_route(from->get_netpoint(), to->get_netpoint(), nullptr, nullptr, {s4u::LinkInRoute(link)}, true);
    world_->ends.push_back(from);
    world_->ends.push_back(to);
  }
  zone->seal();
}

SimulatedTime::~SimulatedTime() = default;

void SimulatedTime::add_actor(const std::string& name, const std::function<void()>& body) {
  s4u::Actor::create(name, world_->place, body);
}

void SimulatedTime::run() { world_->engine->run(); }

double SimulatedTime::now() { return s4u::Engine::get_clock(); }

void SimulatedTime::sleep_until(double at_s) {
  if (at_s > now()) s4u::this_actor::sleep_until(at_s);
}

void SimulatedTime::work(double seconds) {
  if (seconds > 0) s4u::this_actor::sleep_for(seconds);
}

void SimulatedTime::hop(const StagePlan& stage, int first_link, double tokens) {
  if (stage.hop_link < 0) return work(stage.hop_latency_s + tokens * stage.hop_s_per_token);
  const std::size_t link = static_cast<std::size_t>(first_link) + static_cast<std::size_t>(stage.hop_link);
  work(stage.hop_latency_s - links_[link].latency_s);  // software on both ends
  const double bytes = std::round(tokens * stage.hop_s_per_token * links_[link].bytes_per_s);
  s4u::Comm::sendto(world_->ends[2 * link], world_->ends[2 * link + 1], static_cast<std::uint64_t>(bytes));
}

}  // namespace oblea
