// Scheduler: who is served in the next pass. It sees prompts, never how long an answer will be.
//
// State of the server by group (micro-batch): requests that wait, sequences in the order in which they came, blocks of
// the group's share of the cache. No clock: the caller says what has happened.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "engine/pass_cost.hpp"

namespace oblea {

struct Sequence {
  int request = 0;
  int prompt_tokens = 0;  // to be read: the prompt, and after a preemption what had been answered
  int read_tokens = 0;
  int made_tokens = 0;    // since it was admitted; the first comes with the last of the prompt
  int before_tokens = 0;  // made before a preemption
  int prefix = -1;
  int prefix_tokens = 0;
  std::int64_t ticket = 0;  // order of admission
  std::int64_t steps = 0;   // decode passes since it was admitted
  bool is_leaving = false;  // read here, to be answered elsewhere: only its cache stays, until it is released

  bool is_reading() const { return read_tokens < prompt_tokens; }
};

// One pass of a group, fixed when it starts.
struct Pass {
  std::vector<int> decoding;  // positions in the group
  std::vector<double>
      contexts;  // tokens that it attends to, its own included; parts of a token where a step makes some
  std::vector<int> reading;
  std::vector<Chunk> chunks;  // of `reading`
  std::vector<int> admitted;  // requests that entered with this pass
  std::vector<int> preempted;
  double begin_s = 0;                             // as the caller knows
  std::shared_ptr<const std::vector<Pace>> pace;  // by stage, for the whole pass; null: as planned

  std::span<const Pace> paces() const { return pace ? std::span<const Pace>(*pace) : std::span<const Pace>(); }
  bool empty() const { return decoding.empty() && reading.empty(); }
  int prompt_tokens() const {
    int tokens = 0;
    for (const Chunk& chunk : chunks) tokens += chunk.tokens;
    return tokens;
  }
};

// What a request brings along when it joins: its own length, or what a preemption or another replica left of it.
struct Entry {
  int request = 0;
  int prompt_tokens = 0;
  int before_tokens = 0;  // of the prompt: made before a preemption
  int prefix = -1;
  int prefix_tokens = 0;
  bool is_read = false;  // its cache and first token come from another replica
};

// Groups that circulate: micro-batches, at most one a sequence.
int group_count(const ServingPlan& plan);

// Whether a request could be served alone: else it is to be rejected. A speculative step may make more tokens than are
// left to make, and they need room. Example: 100 + 20 tokens and steps of up to 3: room for 122.
bool fits(const ServingPlan& plan, int prompt_tokens, int output_tokens);

class Scheduler {
 public:
  explicit Scheduler(const ServingPlan& plan);

  // To the group that has the fewest requests; its number.
  int add(const Entry& entry);

  // Admits, gives out cache, puts back whom there is no room for; then what the group does next. Nothing, where all of
  // the cache belongs to sequences that are leaving.
  Pass begin_pass(int group);

  // The pass is over: tokens were read and made.
  void end_pass(int group, const Pass& pass, int passes);

  // Passes in a row that need no decision: the cache lasts for all of them. At most `wanted`, at least 1.
  int passes_without_decision(int group, const Pass& pass, int wanted) const;

  int passes_for(const Sequence& sequence, int tokens) const;  // decode passes until it has made so many more

  void remove(int group, int position);         // answered
  void begin_leaving(int group, int position);  // read: its cache stays until `release`
  int release(int request);                     // its group, or -1 where it is not here
  std::vector<Entry> waiting() const;           // of all groups

  const std::vector<Sequence>& group(int number) const { return groups_[static_cast<std::size_t>(number)]; }
  bool has_work(int group) const { return load(group) > 0; }
  std::size_t load() const;              // requests here, less those that are leaving
  bool can_admit_more(int group) const;  // a sequence is free
  bool is_empty() const;
  double tokens_used() const;  // in whole blocks
  std::int64_t preemptions() const { return preemptions_; }

 private:
  std::size_t load(int group) const;
  double held_blocks(const Sequence& sequence) const;
  double blocks_more(const Sequence& sequence, int passes) const;
  double total_blocks(int group) const { return total_blocks_[static_cast<std::size_t>(group)]; }
  double& used(int group) { return used_blocks_[static_cast<std::size_t>(group)]; }
  void admit(int group, double growing, Pass& pass);  // `growing`: blocks that those who decode take in this pass
  bool put_back_last(int group, Pass& pass);
  bool is_prefix_resident(int prefix, int tokens) const;

  ServingPlan plan_;
  std::vector<double> total_blocks_;  // by group; the last has the fewest
  std::vector<double> used_blocks_;
  std::vector<std::deque<Entry>> waiting_;  // by group
  std::vector<std::size_t> leaving_;        // by group: their number
  std::vector<std::vector<Sequence>> groups_;
  std::int64_t tickets_ = 0;
  std::int64_t preemptions_ = 0;
};

}  // namespace oblea
