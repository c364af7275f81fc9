#include "engine/scheduler.hpp"

#include <algorithm>
#include <cmath>

#include "base/check.hpp"

namespace oblea {

namespace {

double blocks_of(const ServingPlan& plan, double tokens) { return std::ceil(tokens / plan.block_tokens); }

// A group's equal share of the cache.
double blocks_a_group(const ServingPlan& plan) {
  return std::floor(plan.cache_tokens / plan.block_tokens / group_count(plan));
}

int sequences_a_group(const ServingPlan& plan) {
  return plan.kind == Serving::single ? 1 : std::max(1, plan.sequences_max / group_count(plan));
}

}  // namespace

int group_count(const ServingPlan& plan) {
  return plan.kind == Serving::single ? 1 : std::clamp(plan.micro_batches, 1, std::max(1, plan.sequences_max));
}

Scheduler::Scheduler(const ServingPlan& plan)
    : plan_(plan),
      total_blocks_(blocks_a_group(plan)),
      used_blocks_(static_cast<std::size_t>(group_count(plan)), 0.0),
      waiting_(used_blocks_.size()),
      leaving_(used_blocks_.size(), 0),
      groups_(used_blocks_.size()) {
  if (plan_.kind == Serving::single) plan_.sequences_max = 1;
  OBLEA_CHECK(plan_.block_tokens >= 1 && plan_.sequences_max >= 1 && plan_.pass_tokens >= 1, "a server that can serve");
}

bool fits(const ServingPlan& plan, int prompt_tokens, int output_tokens) {
  const double tokens = static_cast<double>(prompt_tokens) + output_tokens;
  if (plan.context_max > 0 && tokens > plan.context_max) return false;
  if (plan.kind == Serving::slots) {
    return blocks_of(plan, tokens) <= std::floor(blocks_a_group(plan) / sequences_a_group(plan));
  }
  const double beyond = std::ceil(plan.tokens_per_step) - 1;
  return blocks_of(plan, tokens + beyond) <= blocks_a_group(plan);
}

// A slot is reserved whole when a request enters it.
double Scheduler::held_blocks(const Sequence& sequence) const {
  if (plan_.kind == Serving::slots) return std::floor(total_blocks_ / group_limit());
  return blocks_of(plan_, static_cast<double>(sequence.prompt_tokens) + std::max(1, sequence.made_tokens));
}

int Scheduler::group_limit() const { return sequences_a_group(plan_); }

std::size_t Scheduler::load(int group) const {
  const auto index = static_cast<std::size_t>(group);
  return groups_[index].size() + waiting_[index].size() - leaving_[index];
}

std::size_t Scheduler::load() const {
  std::size_t sum = 0;
  for (int g = 0; g < static_cast<int>(groups_.size()); ++g) sum += load(g);
  return sum;
}

int Scheduler::add(const Entry& entry) {
  int least = 0;
  for (int g = 1; g < static_cast<int>(groups_.size()); ++g) {
    if (load(g) < load(least)) least = g;
  }
  waiting_[static_cast<std::size_t>(least)].push_back(entry);
  return least;
}

std::vector<Entry> Scheduler::waiting() const {
  std::vector<Entry> all;
  for (const auto& queue : waiting_) all.insert(all.end(), queue.begin(), queue.end());
  return all;
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
  return groups_[static_cast<std::size_t>(group)].size() < static_cast<std::size_t>(group_limit());
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
  std::deque<Entry>& waiting = waiting_[static_cast<std::size_t>(group)];
  while (!waiting.empty() && can_admit_more(group)) {
    const Entry next = waiting.front();
    Sequence sequence;
    sequence.request = next.request;
    sequence.prompt_tokens = next.prompt_tokens;
    sequence.before_tokens = next.before_tokens;
    sequence.prefix = next.prefix;
    sequence.prefix_tokens = next.prefix_tokens;
    sequence.ticket = tickets_;
    if (used(group) + growing + held_blocks(sequence) > total_blocks_) return;
    const int shared = std::min(next.prefix_tokens, next.prompt_tokens - 1);
    if (is_prefix_resident(next.prefix, next.prefix_tokens)) sequence.read_tokens = std::max(0, shared);
    if (next.is_read) {
      sequence.read_tokens = next.prompt_tokens;
      sequence.made_tokens = 1;
    }
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
                                                        last.prefix_tokens, false});
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
      if (sequence.is_reading() || sequence.is_leaving) continue;
      blocks += blocks_of(plan_, sequence.context() + std::ceil(plan_.tokens_per_step)) -
                blocks_of(plan_, sequence.context());
    }
    return blocks;
  };
  while (used(group) + wanted() > total_blocks_ && put_back_last(group, pass)) {
  }
  if (pass.preempted.empty()) admit(group, wanted(), pass);
  int left = plan_.pass_tokens;
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    if (sequences[i].is_reading() || sequences[i].is_leaving) continue;
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
      blocks += blocks_of(plan_, context + passes) - blocks_of(plan_, context);
    }
    return blocks <= total_blocks_;
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
  OBLEA_CHECK(used(group) >= 0 && used(group) <= total_blocks_, "the cache holds what it was given");
}

void Scheduler::remove(int group, int position) {
  std::vector<Sequence>& sequences = groups_[static_cast<std::size_t>(group)];
  used(group) -= held_blocks(sequences[static_cast<std::size_t>(position)]);
  sequences.erase(sequences.begin() + position);
}

void Scheduler::begin_leaving(int group, int position) {
  const auto index = static_cast<std::size_t>(group);
  groups_[index][static_cast<std::size_t>(position)].is_leaving = true;
  ++leaving_[index];
}

int Scheduler::release(int request) {
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    for (std::size_t i = 0; i < groups_[g].size(); ++i) {
      if (groups_[g][i].request != request || !groups_[g][i].is_leaving) continue;
      --leaving_[g];
      remove(static_cast<int>(g), static_cast<int>(i));
      return static_cast<int>(g);
    }
  }
  return -1;
}

}  // namespace oblea
