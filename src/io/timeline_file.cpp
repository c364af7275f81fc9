#include "io/timeline_file.hpp"

#include <nlohmann/json.hpp>

namespace oblea {
namespace {

using Json = nlohmann::ordered_json;

std::string span_name(const Span& span) {
  if (span.prompt_tokens > 0 && span.sequences > 0) return "prompt and decode";
  return span.prompt_tokens > 0 ? "prompt" : "decode";
}

Json lane_name(std::size_t lane, const std::string& name) {
  return {{"ph", "M"}, {"pid", 0}, {"tid", lane}, {"name", "thread_name"}, {"args", {{"name", name}}}};
}

Json bar(const Span& span) {
  return {{"ph", "X"},
          {"pid", 0},
          {"tid", span.stage},
          {"name", span_name(span)},
          {"ts", span.begin_s * 1e6},
          {"dur", (span.end_s - span.begin_s) * 1e6},
          {"args",
           {{"sequences", span.sequences},
            {"prompt_tokens", span.prompt_tokens},
            {"passes", span.passes},
            {"micro_batch", span.micro_batch}}}};
}

}  // namespace

std::string write_timeline(const std::vector<std::string>& lanes, const std::vector<Span>& timeline) {
  Json events = Json::array();
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) events.push_back(lane_name(lane, lanes[lane]));
  for (const Span& span : timeline) events.push_back(bar(span));
  const Json document = {{"displayTimeUnit", "ms"}, {"traceEvents", std::move(events)}};
  return document.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace oblea
