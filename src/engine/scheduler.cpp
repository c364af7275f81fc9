#include "engine/scheduler.hpp"

#include <algorithm>
#include <cmath>

#include "base/check.hpp"

namespace oblea {

namespace {

// Sequences and blocks of the cache as equal as whole numbers allow: of 7 sequences in 3 groups the first has 3, the
// others 2; 70 blocks then are 30, 20 and 20.
int sequences_of(const ServingPlan& plan, int group) {
  if (plan.kind == Serving::single) return 1;
  const int groups = group_count(plan);
  return std::max(1, plan.sequences_max / groups + (group < plan.sequences_max % groups ? 1 : 0));
}

double blocks_of(const ServingPlan& plan, int group) {
  const double all = std::floor(plan.cache_tokens / plan.block_tokens);
  if (plan.kind == Serving::single) return all;
  return std::floor(all * sequences_of(plan, group) / std::max(1, plan.sequences_max));
}

}  // namespace

int group_count(const ServingPlan& plan) {
  return plan.kind == Serving::single ? 1 : std::clamp(plan.micro_batches, 1, std::max(1, plan.sequences_max));
}

Scheduler::Scheduler(const ServingPlan& plan)
    : plan_(plan),
      used_blocks_(static_cast<std::size_t>(group_count(plan)), 0.0),
      waiting_(used_blocks_.size()),
      groups_(used_blocks_.size()) {
  for (int g = 0; g < group_count(plan); ++g) total_blocks_.push_back(blocks_of(plan, g));
  OBLEA_CHECK(plan_.block_tokens >= 1 && plan_.sequences_max >= 1 && plan_.pass_tokens >= 1, "a server that can serve");
}

double Scheduler::blocks_for(double tokens) const { return std::ceil(tokens / plan_.block_tokens); }

double Scheduler::slot_blocks() const {
  return std::floor(std::floor(plan_.cache_tokens / plan_.block_tokens) / plan_.sequences_max);
}

// A slot is reserved whole when a request enters it.
double Scheduler::held_blocks(const Sequence& sequence) const {
  if (plan_.kind == Serving::slots) return slot_blocks();
  return blocks_for(static_cast<double>(sequence.prompt_tokens) + std::max(1, sequence.made_tokens));
}

bool Scheduler::fits(int prompt_tokens, int output_tokens) const {
  const double tokens = static_cast<double>(prompt_tokens) + output_tokens;
  if (plan_.context_max > 0 && tokens > plan_.context_max) return false;
  if (plan_.kind == Serving::slots) return blocks_for(tokens) <= slot_blocks();
  const double beyond = std::ceil(plan_.tokens_per_step) - 1;  // of the last step's tokens all but one may be too many
  return blocks_for(tokens + beyond) <= total_blocks_.back();
}

std::size_t Scheduler::load(int group) const {
  return groups_[static_cast<std::size_t>(group)].size() + waiting_[static_cast<std::size_t>(group)].size();
}

int Scheduler::add(int request, int prompt_tokens, int prefix, int prefix_tokens) {
  int least = 0;
  for (int g = 1; g < static_cast<int>(groups_.size()); ++g) {
    if (load(g) < load(least)) least = g;
  }
  waiting_[static_cast<std::size_t>(least)].push_back({request, prompt_tokens, 0, prefix, prefix_tokens});
  return least;
}

bool Scheduler::is_empty() const {
  for (int g = 0; g < static_cast<int>(groups_.size()); ++g) {
    if (has_work(g)) return false;
  }
  return true;
}

double Scheduler::tokens_used() const {
  double blocks = 0;
  for (const double used : used_blocks_) blocks += used;
  return blocks * plan_.block_tokens;
}

bool Scheduler::can_admit_more(int group) const {
  return groups_[static_cast<std::size_t>(group)].size() < static_cast<std::size_t>(sequences_of(plan_, group));
}

bool Scheduler::is_prefix_resident(int prefix, int tokens) const {
  if (!plan_.prefix_cache || prefix < 0) return false;
  for (const auto& group : groups_) {
    for (const Sequence& sequence : group) {
      if (sequence.prefix == prefix && sequence.read_tokens >= tokens) return true;
    }
  }
  return false;
}

void Scheduler::admit(int group, double growing, Pass& pass) {
  std::deque<Waiting>& waiting = waiting_[static_cast<std::size_t>(group)];
  while (!waiting.empty() && can_admit_more(group)) {
    const Waiting next = waiting.front();
    Sequence sequence;
    sequence.request = next.request;
    sequence.prompt_tokens = next.prompt_tokens;
    sequence.before_tokens = next.before_tokens;
    sequence.prefix = next.prefix;
    sequence.prefix_tokens = next.prefix_tokens;
    sequence.ticket = tickets_;
    const double blocks = plan_.kind == Serving::slots ? held_blocks(sequence) : blocks_for(next.prompt_tokens + 1.0);
    if (used(group) + growing + blocks > total_blocks(group)) return;
    const int shared = std::min(next.prefix_tokens, next.prompt_tokens - 1);
    if (is_prefix_resident(next.prefix, next.prefix_tokens)) sequence.read_tokens = std::max(0, shared);
    used(group) += held_blocks(sequence);
    ++tickets_;
    pass.admitted.push_back(next.request);
    groups_[static_cast<std::size_t>(group)].push_back(sequence);
    waiting.pop_front();
  }
}

// The one of this group that came last goes back to the head of the queue; what it had made is read again.
bool Scheduler::put_back_last(int group, Pass& pass) {
  std::vector<Sequence>& sequences = groups_[static_cast<std::size_t>(group)];
  if (sequences.size() < 2) return false;
  const Sequence last = sequences.back();
  used(group) -= held_blocks(last);
  sequences.pop_back();
  waiting_[static_cast<std::size_t>(group)].push_front({last.request, last.prompt_tokens + last.made_tokens,
                                                        last.before_tokens + last.made_tokens, last.prefix,
                                                        last.prefix_tokens});
  pass.preempted.push_back(last.request);
  ++preemptions_;
  return true;
}

Pass Scheduler::begin_pass(int group) {
  Pass pass;
  std::vector<Sequence>& sequences = groups_[static_cast<std::size_t>(group)];
  const auto wanted = [&] {  // blocks more, once every decoding sequence has its next token
    double blocks = 0;
    if (plan_.kind == Serving::slots) return blocks;
    for (const Sequence& sequence : sequences) {
      if (sequence.is_reading()) continue;
      blocks += blocks_for(sequence.context() + std::ceil(plan_.tokens_per_step)) - blocks_for(sequence.context());
    }
    return blocks;
  };
  while (used(group) + wanted() > total_blocks(group) && put_back_last(group, pass)) {
  }
  if (pass.preempted.empty()) admit(group, wanted(), pass);
  int left = plan_.pass_tokens;
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    if (sequences[i].is_reading()) continue;
    pass.decoding.push_back(static_cast<int>(i));
    pass.contexts.push_back(sequences[i].context());
    --left;
  }
  for (std::size_t i = 0; i < sequences.size() && left > 0; ++i) {
    const Sequence& sequence = sequences[i];
    if (!sequence.is_reading()) continue;
    const int tokens = std::min(left, sequence.prompt_tokens - sequence.read_tokens);
    pass.reading.push_back(static_cast<int>(i));
    pass.chunks.push_back({tokens, sequence.read_tokens});
    left -= tokens;
  }
  return pass;
}

int Scheduler::passes_without_decision(int group, const Pass& pass, int wanted) const {
  if (plan_.kind == Serving::slots || wanted <= 1) return std::max(wanted, 1);
  const std::vector<Sequence>& sequences = groups_[static_cast<std::size_t>(group)];
  const auto lasts = [&](int passes) {
    double blocks = used_blocks_[static_cast<std::size_t>(group)];
    for (const int at : pass.decoding) {
      const double context = sequences[static_cast<std::size_t>(at)].context();
      blocks += blocks_for(context + passes) - blocks_for(context);
    }
    return blocks <= total_blocks(group);
  };
  if (lasts(wanted)) return wanted;
  int low = 1;
  int high = wanted;
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    (lasts(middle) ? low : high) = middle;
  }
  return low;
}

void Scheduler::end_pass(int group, const Pass& pass, int passes) {
  std::vector<Sequence>& sequences = groups_[static_cast<std::size_t>(group)];
  const auto change = [&](Sequence& sequence, auto&& apply) {
    const double before = held_blocks(sequence);
    apply();
    used(group) += held_blocks(sequence) - before;
  };
  for (const int at : pass.decoding) {
    Sequence& sequence = sequences[static_cast<std::size_t>(at)];
    change(sequence, [&] {
      if (plan_.tokens_per_step == 1) {
        sequence.made_tokens += passes;
        return;
      }
      OBLEA_CHECK(passes == 1, "speculative steps are taken one by one");
      sequence.credit += plan_.tokens_per_step;
      const double whole = std::floor(sequence.credit);
      sequence.credit -= whole;
      sequence.made_tokens += static_cast<int>(whole);
    });
  }
  for (std::size_t i = 0; i < pass.reading.size(); ++i) {
    Sequence& sequence = sequences[static_cast<std::size_t>(pass.reading[i])];
    change(sequence, [&] {
      sequence.read_tokens += pass.chunks[i].tokens;
      if (!sequence.is_reading()) sequence.made_tokens = 1;
    });
  }
  OBLEA_CHECK(used(group) >= 0 && used(group) <= total_blocks(group), "the cache holds what it was given");
}

void Scheduler::remove(int group, int position) {
  std::vector<Sequence>& sequences = groups_[static_cast<std::size_t>(group)];
  used(group) -= held_blocks(sequences[static_cast<std::size_t>(position)]);
  sequences.erase(sequences.begin() + position);
}

}  // namespace oblea
