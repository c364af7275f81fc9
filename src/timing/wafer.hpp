// Wafer: how long a token takes through a chain of wafers that hold all weights in SRAM.
//
// Scope: decode of resident weights. A layer's time is latency on the wafer (routing, reductions), not SRAM bandwidth:
// 16 GB at 43 PB/s would be 0.4 us, published rates give 6 to 17 us a layer. Limits: no prefill, no expert imbalance,
// no speculation.
#pragma once

#include "hardware/device.hpp"
#include "timing/prediction.hpp"
#include "units/quantity.hpp"

namespace oblea {

struct WaferStep {
  Seconds layers{};    // on the wafers
  Seconds hops{};      // latency between wafers
  Seconds payload{};   // activations on the links
  Prediction token{};  // all three, for one token of one request
  Seconds interval{};  // between tokens of different requests when the pipeline is full: the slowest wafer or link
};

// token = layers x layer latency + hops x (hop latency + activation bytes / link bandwidth); interval = the slowest
// stage. Band: 6/15 to 17/15 of the layer latency, the range over published models (source: shares of tokens/s of
// Llama 3.1 70B and 405B, gpt-oss 120B and Kimi K2.6 on WSE-3). Example: 93 layers at 7.5 us, 69 hops of 2 us, 78.8 kB
// at 300 GB/s (0.26 us): 697.5 + 138 + 18.1 = 853.7 us, 1,171 tok/s a user.
WaferStep wafer_decode_step(const Device& wafer, int layers, int wafers, int layers_max_on_a_wafer, Bytes activation);

// What a layer costs on this wafer: its profile's figure; a check fails where there is none.
Seconds layer_latency(const Device& wafer);

}  // namespace oblea
