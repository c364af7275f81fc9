// Any bytes as a request trace: requests in order that can be sent, or words; never a crash.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/limits.hpp"
#include "io/trace_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  oblea::Diagnostics warnings;
  const auto trace = oblea::parse_trace(std::string(reinterpret_cast<const char*>(data), size), "fuzz", warnings);
  if (!trace) {
    if (oblea::print_diagnostics(trace.error()).empty()) std::abort();
    return 0;
  }
  if (trace->requests.empty()) std::abort();
  double before = 0;
  for (const oblea::Request& r : trace->requests) {
    if (!(r.arrival_s >= before && r.arrival_s <= oblea::kMaxTraceSeconds)) std::abort();
    if (r.prompt_tokens < 1 || r.output_tokens < 1) std::abort();
    if (r.prefix_tokens < 0 || r.prefix_tokens > r.prompt_tokens) std::abort();
    before = r.arrival_s;
  }
  return 0;
}
