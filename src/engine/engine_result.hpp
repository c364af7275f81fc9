// EngineResult: what happened to every request, and what devices and links did meanwhile.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace oblea {

enum class Outcome : std::uint8_t { finished, rejected, lost };

// Seconds since the start. Of a rejected request only `arrival_s` counts.
struct RequestResult {
  double arrival_s = 0;
  double admitted_s = 0;
  double first_token_s = 0;
  double finished_s = 0;
  int prompt_tokens = 0;
  int output_tokens = 0;
  std::int16_t preemptions = 0;
  std::int16_t retries = 0;  // begun anew, because the replica that had it failed
  std::int16_t replica = 0;  // that answered
  Outcome outcome = Outcome::finished;
};

// One bar of the timeline: a stage at work on a pass (or on a row of equal ones).
struct Span {
  double begin_s = 0;
  double end_s = 0;
  int stage = 0;
  int micro_batch = 0;
  int sequences = 0;
  int prompt_tokens = 0;
  std::int64_t passes = 1;
};

struct EngineResult {
  std::vector<RequestResult> requests;  // in the order given
  double end_s = 0;
  std::vector<double> stage_work_s;     // computing; by lane, as `lane_names` counts
  std::vector<double> stage_prompt_s;   // of it, in passes that read prompts
  std::vector<double> stage_network_s;  // in collectives inside the stage and on the hop to it
  std::vector<double> link_bytes_s;     // seconds in which the link carried hops or collectives
  double overhead_s = 0;                // scheduler
  std::int64_t iterations = 0;
  std::int64_t steps = 0;  // scheduling events; macro-steps make them fewer than iterations
  std::int64_t preemptions = 0;
  std::int64_t prompt_tokens = 0;      // read, recomputed ones included
  std::int64_t output_tokens = 0;      // of finished requests
  std::int64_t discarded_tokens = 0;   // of answers that a failure cut short
  double cache_tokens_peak = 0;        // of the replica that held most
  std::vector<double> replica_busy_s;  // a pass was under way
  std::vector<double> replica_down_s;  // without a plan or loading, until the end of the run
  std::vector<double> shut_down_s;     // when a pacer stopped the replica for good; infinite: never
  std::vector<double> look_s;          // when the pacer looked
  std::vector<double> samples;         // what it wanted to be kept, look by look, as many numbers each time
  double handover_s = 0;               // caches on their way between replicas
  double requests_in_system_s = 0;     // integral of their number over time; Little: equals the sum of their times
  std::vector<Span> timeline;          // where asked for
};

}  // namespace oblea
