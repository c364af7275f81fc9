#include "engine/request_source.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace oblea {

RequestSource::RequestSource(const EngineRequests& requests)
    : requests_(requests), order_(requests.requests.size()), arrivals_(requests.requests.size()) {
  std::iota(order_.begin(), order_.end(), 0);
  if (is_closed()) {
    for (int user = 0; user < requests.closed_users && next_ < order_.size(); ++user) send_next(0);
    return;
  }
  std::stable_sort(order_.begin(), order_.end(),
                   [&](int a, int b) { return request(a).arrival_s < request(b).arrival_s; });
  for (std::size_t i = 0; i < arrivals_.size(); ++i) arrivals_[i] = requests.requests[i].arrival_s;
}

double RequestSource::next_arrival_s() const {
  if (is_closed()) return pending_.empty() ? std::numeric_limits<double>::infinity() : pending_.top().first;
  return next_ < order_.size() ? arrival_s(order_[next_]) : std::numeric_limits<double>::infinity();
}

int RequestSource::take(double now_s) {
  if (next_arrival_s() > now_s) return -1;
  if (!is_closed()) return order_[next_++];
  const int number = pending_.top().second;
  pending_.pop();
  return number;
}

void RequestSource::ended(double now_s) {
  if (is_closed()) send_next(now_s + requests_.think_s);
}

void RequestSource::send_next(double at_s) {
  if (next_ >= order_.size()) return;
  const int number = order_[next_++];
  arrivals_[static_cast<std::size_t>(number)] = at_s;
  pending_.emplace(at_s, number);
}

}  // namespace oblea
