#include <cmath>

#include "base/check.hpp"
#include "engine/drivers.hpp"

namespace oblea {
namespace {

// Bars of the stages, laid one behind another; of a row, as if each stage did its share at once.
void note_spans(Server& server, const std::vector<StageTime>& stages, const Pass& pass, int passes, double at_s) {
  int prompt = 0;
  for (const Chunk& chunk : pass.chunks) prompt += chunk.tokens;
  at_s += passes * server.plan().serving.overhead_s;
  for (std::size_t s = 0; s < stages.size(); ++s) {
    const double begin_s = at_s + stages[s].hop_s;
    at_s += stages[s].total();
    server.note_span({begin_s, at_s, static_cast<int>(s), 0, static_cast<int>(pass.decoding.size()), prompt, passes});
  }
}

void serve(Server& server) {
  double now_s = server.plan().start_s;
  std::vector<StageTime> stages;
  while (!server.is_over()) {
    SimulatedTime::sleep_until(now_s);
    server.take_arrivals(now_s);
    if (!server.has_work(0)) {
      if (server.is_over()) return;
      OBLEA_CHECK(std::isfinite(server.next_arrival_s()), "somebody will come");
      now_s = std::max(now_s, server.next_arrival_s());
      continue;
    }
    const Pass pass = server.begin(0, now_s);
    OBLEA_CHECK(!pass.empty(), "who waits alone is let in");
    const int passes = server.passes_in_a_row(0, pass, now_s);
    server.cost().measure(pass.contexts, pass.chunks, passes, stages);
    note_spans(server, stages, pass, passes, now_s);
    now_s += server.cost().iteration_s(pass.contexts, pass.chunks, passes);
    SimulatedTime::sleep_until(now_s);
    server.note(stages, passes);
    server.take_arrivals(std::nextafter(now_s, 0.0));  // whoever came before the end came before it
    server.end(0, pass, passes, now_s);
  }
}

}  // namespace

void drive_in_rows(Server& server, SimulatedTime& time) {
  time.add_actor("server", [&server] { serve(server); });
}

}  // namespace oblea
