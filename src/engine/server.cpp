#include "engine/server.hpp"

#include <algorithm>
#include <limits>

#include "base/check.hpp"

namespace oblea {

bool can_serve(const EnginePlan& plan, Role role, const Request& request) {
  return fits(plan.serving, request.prompt_tokens, answers(role) ? request.output_tokens : 1);
}

Server::Server(const EnginePlan& plan, const ServerPlace& place, const RequestSource& source, RunRecord& record)
    : plan_(plan), place_(place), cost_(plan), source_(source), record_(record), scheduler_(plan.serving) {}

int Server::receive(int number, bool is_read) {
  const Request& request = source_.request(number);
  return scheduler_.add({number, request.prompt_tokens, 0, request.prefix, request.prefix_tokens, is_read});
}

Pass Server::begin(int group, double now_s) {
  const std::int64_t preemptions = scheduler_.preemptions();
  Pass pass = scheduler_.begin_pass(group);
  pass.begin_s = now_s;
  pass.pace = pace_;
  for (const int request : pass.admitted) record_.admitted(request, now_s);
  for (const int request : pass.preempted) record_.preempted(request);
  record_.put_back(scheduler_.preemptions() - preemptions);
  record_.cache_in_use(scheduler_.tokens_used());
  record_.begun();
  OBLEA_CHECK(!pass.empty() || place_.role == Role::prefill, "a group with work has something to do");
  return pass;
}

int Server::passes_in_a_row(int group, const Pass& pass) const {
  if (!pass.chunks.empty()) return 1;
  int passes = std::numeric_limits<int>::max();
  const std::vector<Sequence>& sequences = scheduler_.group(group);
  for (const int at : pass.decoding) {
    const Sequence& sequence = sequences[static_cast<std::size_t>(at)];
    const int left = source_.request(sequence.request).output_tokens - sequence.before_tokens - sequence.made_tokens;
    passes = std::min(passes, scheduler_.passes_for(sequence, left));
  }
  return scheduler_.passes_without_decision(group, pass, passes);
}

int Server::passes_until(const Pass& pass, int passes, double begin_s, double at_s) const {
  int low = 0;
  int high = passes;
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    (begin_s + cost_.iteration_s(pass.contexts, {}, middle, pass.paces()) >= at_s ? high : low) = middle;
  }
  return high;
}

int Server::passes_by(const Pass& pass, int passes, double begin_s, double at_s) const {
  const int until = passes_until(pass, passes, begin_s, at_s);
  return begin_s + cost_.iteration_s(pass.contexts, pass.chunks, until, pass.paces()) <= at_s ? until : until - 1;
}

bool Server::set_pace(std::span<const Pace> by_lane) {
  const auto own = by_lane.subspan(static_cast<std::size_t>(place_.first_lane), plan_.stages.size());
  const auto is_planned = [](const Pace& pace) { return pace == Pace{}; };
  if (pace_ ? std::equal(own.begin(), own.end(), pace_->begin()) : std::all_of(own.begin(), own.end(), is_planned)) {
    return false;
  }
  pace_ = std::make_shared<const std::vector<Pace>>(own.begin(), own.end());
  return true;
}

// `stages_` holds the times of all that is done of the pass or row.
void Server::note_work(const Pass& pass, double end_s) {
  const double begin_s = noted_.empty() ? pass.begin_s : noted_s_;
  record_.activity()->note({place_.replica, place_.first_lane, !pass.chunks.empty(), begin_s, end_s}, stages_, noted_);
}

void Server::note_progress(const Pass& pass, int passes, double now_s) {
  if (!pass.chunks.empty()) return;
  const int done = passes_by(pass, passes, pass.begin_s, now_s);
  if (done < 1) return;
  const double end_s = pass.begin_s + cost_.iteration_s(pass.contexts, {}, done, pass.paces());
  cost_.measure(pass.contexts, {}, done, stages_, pass.paces());
  note_work(pass, end_s);
  noted_ = stages_;
  noted_s_ = end_s;
}

EndedPass Server::end(int group, const Pass& pass, std::int64_t passes, double now_s) {
  cost_.measure(pass.contexts, pass.chunks, static_cast<double>(passes), stages_, pass.paces());
  if (record_.activity() != nullptr) {
    note_work(pass, now_s);
    noted_.clear();
  }
  record_.done(plan_, {place_.replica, pass.begin_s, now_s, !pass.chunks.empty(), place_.first_lane, place_.first_link,
                       passes, &stages_});
  scheduler_.end_pass(group, pass, static_cast<int>(passes));
  record_.cache_in_use(scheduler_.tokens_used());
  std::int64_t read = 0;
  for (const Chunk& chunk : pass.chunks) read += chunk.tokens;
  record_.read(read);
  EndedPass ended;
  const std::vector<Sequence>& sequences = scheduler_.group(group);
  for (const int at : pass.reading) {
    const Sequence& sequence = sequences[static_cast<std::size_t>(at)];
    if (!sequence.is_reading() && sequence.before_tokens == 0) record_.first_token(sequence.request, now_s);
  }
  for (int at = static_cast<int>(sequences.size()) - 1; at >= 0; --at) {
    const Sequence& sequence = sequences[static_cast<std::size_t>(at)];
    if (sequence.is_leaving || sequence.made_tokens == 0) continue;
    const int request = sequence.request;
    if (sequence.before_tokens + sequence.made_tokens >= source_.request(request).output_tokens) {
      scheduler_.remove(group, at);
      ended.finished.push_back(request);
    } else if (place_.role == Role::prefill) {
      scheduler_.begin_leaving(group, at);
      ended.leaving.push_back(request);
    }
  }
  return ended;
}

Abandoned Server::abandon() const {
  Abandoned abandoned;
  for (int g = 0; g < groups(); ++g) {
    for (const Sequence& sequence : scheduler_.group(g)) {
      abandoned.begun.push_back(sequence.request);
      abandoned.made_tokens += sequence.before_tokens + sequence.made_tokens;
    }
  }
  for (const Entry& entry : scheduler_.waiting()) {
    const bool begun = entry.before_tokens > 0 || entry.is_read;
    (begun ? abandoned.begun : abandoned.waiting).push_back(entry.request);
    abandoned.made_tokens += entry.before_tokens + (entry.is_read ? 1 : 0);
  }
  return abandoned;
}

void Server::note_span(Span span) {
  span.stage += place_.first_lane;
  record_.span(span);
}

}  // namespace oblea
