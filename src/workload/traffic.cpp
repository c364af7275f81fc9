#include "workload/traffic.hpp"

#include <algorithm>
#include <cmath>

#include <boost/random/exponential_distribution.hpp>
#include <boost/random/lognormal_distribution.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <boost/random/uniform_real_distribution.hpp>

#include "base/check.hpp"
#include "base/random.hpp"

namespace oblea {
namespace {

// Lognormal: with s = standard deviation over mean, sigma^2 = ln(1 + s^2) and mu = ln(mean) - sigma^2 / 2.
// Example: mean 512, s 1: sigma 0.833, mu 5.892; the median is exp(mu) = 362.
double draw(const Lengths& lengths, RandomStream& stream) {
  switch (lengths.kind) {
    case LengthKind::fixed:
      return lengths.mean;
    case LengthKind::uniform: {
      const double half = lengths.mean * lengths.variation;
      return boost::random::uniform_real_distribution<double>(lengths.mean - half, lengths.mean + half)(stream);
    }
    case LengthKind::exponential:
      return boost::random::exponential_distribution<double>(1 / lengths.mean)(stream);
    case LengthKind::lognormal: {
      const double variance = std::log(1 + lengths.variation * lengths.variation);
      const double mu = std::log(lengths.mean) - variance / 2;
      return boost::random::lognormal_distribution<double>(mu, std::sqrt(variance))(stream);
    }
  }
  return lengths.mean;
}

int draw_tokens(const Lengths& lengths, RandomStream& stream) {
  const double tokens = std::round(draw(lengths, stream));
  return static_cast<int>(std::clamp(tokens, double(lengths.minimum), double(lengths.maximum)));
}

void set_arrivals(std::vector<Request>& requests, const Traffic& traffic) {
  if (traffic.arrivals == ArrivalKind::closed) return;
  OBLEA_CHECK(traffic.rate_per_s > 0, "requests come at some rate");
  const int at_once = traffic.arrivals == ArrivalKind::bursts ? std::max(1, traffic.burst_requests) : 1;
  RandomStream stream = make_random_stream(traffic.seed, "arrivals");
  boost::random::exponential_distribution<double> gap(traffic.rate_per_s / at_once);
  double now = 0;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (i % static_cast<std::size_t>(at_once) == 0) now += gap(stream);
    requests[i].arrival_s = now;
  }
}

void set_prefixes(std::vector<Request>& requests, const Traffic& traffic) {
  if (traffic.prefix_groups < 1 || traffic.prefix_tokens < 1) return;
  RandomStream stream = make_random_stream(traffic.seed, "prefixes");
  boost::random::uniform_int_distribution<int> group(0, traffic.prefix_groups - 1);
  for (Request& request : requests) {
    request.prefix = group(stream);
    request.prefix_tokens = std::min(traffic.prefix_tokens, request.prompt_tokens);
  }
}

// Example: arrivals at 0, 3 and 8 s at speed 2: 0, 1.5 and 4 s.
std::vector<Request> play_trace(const Traffic& traffic) {
  OBLEA_CHECK(traffic.trace != nullptr && traffic.speed > 0, "a trace is played at some speed");
  const std::size_t count = std::min(traffic.trace->size(), static_cast<std::size_t>(std::max(0, traffic.requests)));
  std::vector<Request> requests(traffic.trace->begin(), traffic.trace->begin() + static_cast<std::ptrdiff_t>(count));
  for (Request& request : requests) request.arrival_s /= traffic.speed;
  return requests;
}

}  // namespace

std::vector<Request> make_requests(const Traffic& traffic) {
  if (traffic.arrivals == ArrivalKind::trace) return play_trace(traffic);
  std::vector<Request> requests(static_cast<std::size_t>(std::max(0, traffic.requests)));
  RandomStream prompts = make_random_stream(traffic.seed, "prompts");
  RandomStream outputs = make_random_stream(traffic.seed, "outputs");
  for (Request& request : requests) {
    request.prompt_tokens = draw_tokens(traffic.prompt, prompts);
    request.output_tokens = draw_tokens(traffic.output, outputs);
  }
  set_arrivals(requests, traffic);
  set_prefixes(requests, traffic);
  return requests;
}

}  // namespace oblea
