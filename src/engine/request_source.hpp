// RequestSource: when requests come, and how long their answers really are; what the scheduler must not see.
#pragma once

#include <queue>
#include <vector>

#include "engine/run_engine.hpp"

namespace oblea {

class RequestSource {
 public:
  explicit RequestSource(const EngineRequests& requests);

  double next_arrival_s() const;  // infinite when nothing is on its way now
  bool is_over() const { return next_ >= order_.size() && pending_.empty(); }

  // The next request to arrive, if it has by now; its number, or -1.
  int take(double now_s);

  // A request ended: in a closed loop its user thinks, then sends the next one.
  void ended(double now_s);

  const Request& request(int number) const { return requests_.requests[static_cast<std::size_t>(number)]; }
  double arrival_s(int number) const { return arrivals_[static_cast<std::size_t>(number)]; }

 private:
  bool is_closed() const { return requests_.closed_users > 0; }
  void send_next(double at_s);

  const EngineRequests& requests_;
  std::vector<int> order_;  // open: by arrival; closed: as given
  std::size_t next_ = 0;    // of order_; open: to arrive, closed: to be sent
  std::priority_queue<std::pair<double, int>, std::vector<std::pair<double, int>>, std::greater<>> pending_;  // closed
  std::vector<double> arrivals_;
};

}  // namespace oblea
