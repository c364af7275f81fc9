#include "study/provenance.hpp"

#include <map>

#include <fmt/core.h>

namespace oblea {
namespace {

std::string line(const std::string& what, const Source& source) {
  return fmt::format("{}: {}, {}, {}", what, confidence_name(source.confidence), source.date, source.text);
}

}  // namespace

std::vector<std::string> provenance_of(const std::vector<const Device*>& devices, const ModelSpec& model,
                                       const TimingParameters* timing, const PriceList& prices) {
  std::map<std::string, const Device*> different;
  for (const Device* device : devices) different[device->id] = device;
  std::vector<std::string> lines;
  for (const auto& [id, device] : different) {
    lines.push_back(line(id + " memory", device->memory.source));
    lines.push_back(line(id + " memory bandwidth", device->memory_bandwidth.source));
    lines.push_back(line(id + " TDP", device->tdp.source));
    if (device->layer_latency) lines.push_back(line(id + " layer latency", device->layer_latency->source));
  }
  lines.push_back(fmt::format("{} geometry: {}, {}, {}", model.id, model.confidence, model.date, model.source));
  if (timing != nullptr) lines.push_back(fmt::format("timing: {}, {}", timing->date, timing->provenance));
  lines.push_back(line("prices " + prices.id + ", USD", prices.rates_source));
  return lines;
}

}  // namespace oblea
