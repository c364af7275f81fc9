// EnginePlan: everything that a run needs to know of machine, model and server, as numbers and cost functions.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace oblea {

// Reading the cache of one sequence: seconds for each token of its context, at most `window` of them (0: all).
struct AttendedCost {
  double seconds_per_token = 0;
  double window = 0;
};

// One stage of the way that a pass takes. A pass of decode with n sequences of contexts c_i, p positions each (1, or
// with speculative decoding the guesses and one more), takes
//   draft_s(n) + decode_s(n p) + sum_i sum_g a_g min(c_i, w_g) + collective_s(n p)
// and a chunk of t prompt tokens behind d cached ones prefill_s(t, d) + collective_s(t).
// A pass of both takes draft_s(n) + prefill_s(t + n p, d) + the caches' reading + collective_s(t + n p): weights are
// read once.
struct StagePlan {
  std::string name;                               // lane of the timeline
  std::vector<int> devices;                       // busy while it works
  std::function<double(int positions)> decode_s;  // without reading caches
  std::vector<AttendedCost> attended;
  std::function<double(double tokens, double depth)> prefill_s;
  std::function<double(int sequences)> draft_s;       // guessing tokens before they are checked; null: none
  std::function<double(double tokens)> collective_s;  // waiting for links inside the stage; null: none
  int collective_link = -1;                           // of EnginePlan::links, as `hop_link`
  double hop_latency_s = 0;                           // from the stage before, software included
  double hop_s_per_token = 0;                         // bytes a token / goodput
  int hop_link = -1;                                  // of EnginePlan::links; -1: inside a box
};

struct LinkPlan {
  std::string name;
  double bytes_per_s = 0;
  double latency_s = 0;
};

enum class Serving { continuous, slots, single };

// An iteration: every running sequence makes a token, and prompts are read in the tokens that are left of
// `pass_tokens`. Waiting requests enter first come, first served, while a sequence and room for prompt and one token
// are free. Where the cache is full, the sequence that came last is put back and starts anew (its tokens are kept as
// prompt).
struct ServingPlan {
  Serving kind = Serving::continuous;
  int sequences_max = 256;     // slots: their number; single: 1
  int pass_tokens = 2048;      // decode and prompt tokens of one iteration at most
  double cache_tokens = 0;     // room for KV, all sequences together, in whole blocks
  int block_tokens = 16;       // slots: cache_tokens / sequences_max, reserved whole
  int context_max = 0;         // prompt + answer; longer requests are rejected
  bool prefix_cache = false;   // a shared prefix that is resident is not read again
  int micro_batches = 1;       // groups of sequences that circulate through the stages at once
  double overhead_s = 0;       // of an iteration: scheduler, sampling
  int positions_per_step = 1;  // of a decoding sequence; speculative decoding: guesses that are checked, and one more
  double tokens_per_step = 1;  // that become answer: the accepted length, on average
};

struct EnginePlan {
  std::vector<StagePlan> stages;
  std::vector<LinkPlan> links;
  ServingPlan serving;
  int devices = 0;
  double start_s = 0;  // loading: nothing is served before
};

// What a replica does: all of it, or only one part of a prefill/decode split.
enum class Role { whole, prefill, decode };

// From `from_s` on a replica has this plan (null: it is down) and serves from `ready_s` on, when weights are loaded.
// When a phase ends, the replica's caches are gone.
struct Phase {
  double from_s = 0;
  std::shared_ptr<const EnginePlan> plan;
  double ready_s = 0;
};

struct Replica {
  std::string name;
  Role role = Role::whole;
  std::vector<Phase> phases;  // by time, the first from 0
};

// Who gets a request: the replica that has the fewest, or the next one in turn.
enum class Balancing { least_requests, round_robin };

// Replicas behind a load balancer. With prefill replicas, a request is read there, its cache goes over one link to a
// decode replica (transfers in turn, latency + tokens x s_per_token each) and its answer is made there.
struct FleetPlan {
  std::vector<Replica> replicas;
  Balancing balancing = Balancing::least_requests;
  bool retry = true;  // what a failing replica had in flight starts anew elsewhere; false: it is lost
  double handover_latency_s = 0;
  double handover_s_per_token = 0;
};

inline bool takes_prompts(Role role) { return role != Role::decode; }
inline bool answers(Role role) { return role != Role::prefill; }

// When the phase is over; infinite for the last one.
double phase_end_s(const Replica& replica, std::size_t phase);

// The plan of every phase that has one, replica by replica, in the order of `lane_names`; one that comes back stands
// again.
std::vector<const EnginePlan*> plans_of(const FleetPlan& fleet);

// One replica that never fails.
FleetPlan fleet_of(const EnginePlan& plan);

// A lane for each stage of each phase of each replica, in this order; "stage" in results counts lanes.
std::vector<std::string> lane_names(const FleetPlan& fleet);

}  // namespace oblea
