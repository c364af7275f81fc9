// Fleet: replicas behind a load balancer: who gets a request, and what happens to requests when a replica stops.
#pragma once

#include <memory>
#include <optional>

#include "engine/server.hpp"

namespace oblea {

// A group of a replica that has a request more, or cache that became free.
struct Joined {
  int replica = 0;
  int group = 0;
};

// A cache on its way to the replica that answers.
struct Handover {
  int request = 0;
  int from = 0;
  int attempt = 0;  // void when the request has begun anew meanwhile
  double seconds = 0;
};

// A replica stops, or serves from now on.
struct PhaseEvent {
  double at_s = 0;
  bool starts = false;
  int replica = 0;
  int phase = 0;
};

// In the order of time; at one time whatever stops comes first.
std::vector<PhaseEvent> phase_events(const FleetPlan& fleet);

// What a look has changed.
struct Looked {
  std::vector<int> repaced;  // replicas
  std::vector<int> shut_down;
};

class Fleet {
 public:
  Fleet(const FleetPlan& plan, const EngineRequests& requests, const EngineOptions& options);

  const FleetPlan& plan() const { return plan_; }
  bool is_over() const { return record_.is_over(); }
  Server* server(int replica) const { return servers_[static_cast<std::size_t>(replica)].get(); }  // null: down

  void apply(const PhaseEvent& event);

  // When the pacer wants to look; infinite: never. What rows have done by then must have been noted.
  double next_look_s() const { return next_look_s_; }
  Looked look(double now_s);

  // When somebody comes, or is to be sent on because a replica stopped or started. Infinite: nobody now.
  double next_arrival_s() const;
  // Whoever is there by now goes to a replica.
  std::vector<Joined> take_arrivals(double now_s);

  Pass begin(int replica, int group, double now_s) { return server(replica)->begin(group, now_s); }
  // Caches that are to be handed on, one after another over one link.
  std::vector<Handover> end(int replica, int group, const Pass& pass, std::int64_t passes, double now_s);
  // The cache has arrived: the groups that it has left and joined.
  std::vector<Joined> deliver(const Handover& handover, double now_s);

  EngineResult take_result();

 private:
  enum class Prospect { never, later, over };  // no plan is large enough; a replica starts yet; none does

  ServerPlace place_of(int replica, int phase) const;
  std::optional<Joined> route(int request);
  int least_loaded(int request, bool (*takes)(Role)) const;
  int next_in_turn(int request) const;
  Prospect prospect(int request) const;
  void send_back(const Abandoned& abandoned, double now_s);
  void wait_for_replica(int request, double now_s);

  const FleetPlan& plan_;
  RequestSource source_;
  RunRecord record_;
  std::shared_ptr<Pacer> pacer_;  // null: nobody paces this run
  std::vector<Pace> pace_;        // by lane; empty: as planned
  double next_look_s_;
  std::vector<std::unique_ptr<Server>> servers_;  // by replica
  std::vector<std::unique_ptr<Server>> stopped_;  // passes on their way still refer to them
  std::vector<int> stranded_;                     // nobody could take them yet
  double sent_back_s_ = 0;                        // when the stranded are to be looked at again
  int starts_left_ = 0;
  int turn_ = 0;
};

}  // namespace oblea
