// Traffic: how requests come: who sends them, when, how long they are.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "workload/request.hpp"

namespace oblea {

enum class ArrivalKind {
  closed,   // `users` send their next request `think_s` after the answer to the last
  poisson,  // at `rate_per_s`
  bursts,   // `burst_requests` at once, bursts as a Poisson process with the same mean rate
  trace     // as somebody's requests came, `speed` times as fast
};

enum class LengthKind { fixed, uniform, exponential, lognormal };

// Tokens of prompts or of answers; drawn, rounded, kept within [minimum, maximum].
struct Lengths {
  LengthKind kind = LengthKind::fixed;
  double mean = 512;
  double variation = 1;  // lognormal: standard deviation over mean; uniform: half the width over the mean
  int minimum = 1;
  int maximum = 1 << 20;
};

struct Traffic {
  ArrivalKind arrivals = ArrivalKind::closed;
  int requests = 100;
  int users = 1;
  double think_s = 0;
  double rate_per_s = 1;
  int burst_requests = 8;
  Lengths prompt;
  Lengths output{LengthKind::fixed, 256, 1, 1, 1 << 20};
  int prefix_groups = 0;  // shared prefixes, each with the same chance; 0: none
  int prefix_tokens = 0;
  std::uint64_t seed = 1;
  std::shared_ptr<const std::vector<Request>> trace;  // by arrival; the first `requests` of it are played
  double speed = 1;                                   // 2: a trace comes twice as fast
};

// The requests in order of arrival. Same traffic, same requests, on every machine: each use of chance has its own named
// stream, so that another length distribution moves no arrival.
std::vector<Request> make_requests(const Traffic& traffic);

}  // namespace oblea
