#include "timing/wafer.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace oblea {
namespace {

// Range of layer times from published rates, over the 15 us of Kimi K2.6 on WSE-3.
constexpr double kFastest = 6.0 / 15.0;
constexpr double kSlowest = 17.0 / 15.0;

}  // namespace

Seconds layer_latency(const Device& wafer) {
  OBLEA_CHECK(wafer.layer_latency.has_value(), "a wafer needs a layer latency to be timed");
  return wafer.layer_latency->value;
}

WaferStep wafer_decode_step(const Device& wafer, int layers, int wafers, int layers_max_on_a_wafer, Bytes activation) {
  OBLEA_CHECK(layers > 0 && wafers > 0 && layers_max_on_a_wafer > 0, "a chain has layers and wafers");
  const Seconds layer = layer_latency(wafer);
  const Seconds hop = value_or(wafer.hop_latency, Seconds(0));
  const BytesPerSecond link = value_or(wafer.io_bandwidth, BytesPerSecond(0));
  const Seconds payload = link.value() > 0 ? activation / link : Seconds(0);
  WaferStep step;
  step.layers = layer * layers;
  step.hops = hop * (wafers - 1);
  step.payload = payload * (wafers - 1);
  const Seconds moving = step.hops + step.payload;
  step.token = {step.layers + moving, step.layers * kFastest + moving, step.layers * kSlowest + moving,
                moving > step.layers ? TimingLimit::network : TimingLimit::compute};
  step.interval = std::max(layer * layers_max_on_a_wafer, payload);
  return step;
}

}  // namespace oblea
