#include "io/scenario_traffic.hpp"

#include <optional>

#include <fmt/core.h>

#include "base/hash.hpp"
#include "base/limits.hpp"
#include "io/path_beside.hpp"
#include "io/scenario_sections.hpp"

namespace oblea {
namespace {

constexpr double kMaxRequests = 1e6;
constexpr double kMaxRate = 1e6;
constexpr double kMaxSpeed = 1e6;

ArrivalKind arrival_kind(const std::string& name) {
  if (name == "poisson") return ArrivalKind::poisson;
  if (name == "bursts") return ArrivalKind::bursts;
  return name == "trace" ? ArrivalKind::trace : ArrivalKind::closed;
}

LengthKind length_kind(const std::string& name) {
  if (name == "uniform") return LengthKind::uniform;
  if (name == "exponential") return LengthKind::exponential;
  return name == "lognormal" ? LengthKind::lognormal : LengthKind::fixed;
}

int integer(ObjectReader& reader, const char* key, double fallback, double low, double high) {
  return static_cast<int>(reader.integer_or(key, static_cast<std::int64_t>(fallback), Range::between(low, high)));
}

void parse_lengths(ObjectReader& reader, Traffic& traffic) {
  traffic.prompt.mean = integer(reader, "prompt", traffic.prompt.mean, 1, kMaxContextTokens);
  traffic.output.mean = integer(reader, "output", traffic.output.mean, 1, kMaxContextTokens);
  const LengthKind kind =
      length_kind(reader.choice_or("lengths", {"fixed", "uniform", "exponential", "lognormal"}, "fixed"));
  const double variation =
      reader.number_or("variation", kind == LengthKind::uniform ? 0.5 : 1.0, Range::between(0, 10));
  for (Lengths* lengths : {&traffic.prompt, &traffic.output}) {
    lengths->kind = kind;
    lengths->variation = variation;
  }
}

// The trace of this path, from the shelf or the disk; null with a fault.
std::shared_ptr<const Trace> find_trace(ObjectReader& reader, const JsonValue& named, TraceShelf& traces,
                                        Diagnostics& warnings) {
  const std::string path = path_beside(reader, named, named.text);
  if (const auto found = traces.find(path); found != traces.end()) return found->second;
  Result<Trace> trace = read_trace(path, warnings);
  if (trace) return traces[path] = std::make_shared<const Trace>(std::move(*trace));
  for (const Diagnostic& fault : trace.error()) {
    if (fault.place.line > 0)
      reader.diagnostics().push_back(fault);
    else
      reader.fault(named, fmt::format("\"{}\": {}", path, fault.message), fault.hint);
  }
  return nullptr;
}

void parse_trace_choice(ObjectReader& reader, Scenario& scenario, TraceShelf& traces, Diagnostics& warnings) {
  Traffic& traffic = scenario.traffic;
  const std::string path = reader.text_or("trace", "");
  traffic.speed = reader.number_or("speed", 1, {0, kMaxSpeed, true});
  if (traffic.arrivals != ArrivalKind::trace) return;
  const JsonValue* named = reader.optional("trace");
  if (named == nullptr) {
    reader.fault(*reader.optional("arrivals"), "\"arrivals\" are those of a trace, but \"trace\" names no file");
    return;
  }
  if (path.empty()) return;
  const std::shared_ptr<const Trace> trace = find_trace(reader, *named, traces, warnings);
  if (trace == nullptr) return;
  traffic.trace = {trace, &trace->requests};
  traffic.requests = static_cast<int>(trace->requests.size());
  scenario.input_hash += hash_text(trace->hash);  // becomes part of the hash with the rest
}

}  // namespace

void parse_traffic(ObjectReader& root, Scenario& scenario, TraceShelf& traces, Diagnostics& warnings) {
  Traffic& traffic = scenario.traffic;
  traffic.users = static_cast<int>(scenario.workload.users);
  traffic.prompt.mean = prompt_length(scenario.workload).value();
  traffic.output.mean = scenario.workload.output.value();
  auto reader = member_object(root, "traffic");
  if (!reader) return;
  const char* usual = reader->has("trace") ? "trace" : reader->has("rate") ? "poisson" : "closed";
  traffic.arrivals = arrival_kind(reader->choice_or("arrivals", {"closed", "poisson", "bursts", "trace"}, usual));
  parse_trace_choice(*reader, scenario, traces, warnings);
  traffic.requests = integer(*reader, "requests", traffic.requests, 1, kMaxRequests);
  traffic.users = integer(*reader, "users", traffic.users, 1, kMaxUsers);
  traffic.think_s = reader->quantity_or("think", UnitKind::seconds, 0, {});
  traffic.rate_per_s = reader->number_or("rate", traffic.rate_per_s, {0, kMaxRate, true});
  traffic.burst_requests = integer(*reader, "burst", traffic.burst_requests, 1, kMaxRequests);
  parse_lengths(*reader, traffic);
  traffic.prefix_groups = integer(*reader, "prefix_groups", 0, 0, kMaxRequests);
  traffic.prefix_tokens = integer(*reader, "prefix_tokens", 0, 0, kMaxContextTokens);
  traffic.seed = static_cast<std::uint64_t>(integer(*reader, "seed", 1, 0, 1e9));
  reader->finish();
}

void parse_slo(ObjectReader& root, Scenario& scenario) {
  auto reader = member_object(root, "slo");
  if (!reader) return;
  Slo& slo = scenario.slo;
  slo.ttft_s = reader->quantity_or("ttft", UnitKind::seconds, 0);
  slo.tpot_s = reader->quantity_or("tpot", UnitKind::seconds, 0);
  slo.e2e_s = reader->quantity_or("e2e", UnitKind::seconds, 0);
  slo.share = reader->number_or("share", slo.share, Range::between(0, 1));
  reader->finish();
}

}  // namespace oblea
