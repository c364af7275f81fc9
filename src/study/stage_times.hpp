// StageTimes: what one stage of a placement takes for any batch, context and prompt, and the way to it. `place` and
// `simulate` both ask here, so that they agree.
#pragma once

#include <vector>

#include "engine/engine_plan.hpp"
#include "study/speed.hpp"
#include "timing/device_rates.hpp"
#include "timing/engine_run.hpp"
#include "timing/model_work.hpp"

namespace oblea {

// Prompt tokens that a stage computes at once (llama.cpp's default -ub).
inline constexpr double kPromptMicroBatch = 512;

// Scheduler, sampling and detokenising of a serving engine a step: 1 to 4 ms (MODELS: measured over vLLM generations).
inline constexpr Prediction kServingOverhead{Seconds(2.5e-3), Seconds(1e-3), Seconds(4e-3),
                                             TimingLimit::launch_overhead};

// Owns what it needs of question and placement; the timing parameters must outlive it.
class StageTimes {
 public:
  StageTimes(const SpeedQuestion& question, const Stage& stage, const Stage* before,
             const TimingParameters& parameters);

  // One token of each of `batch` sequences with `context` cached tokens each; experts on the host included.
  Prediction decode(double batch, double context) const;

  // What a cached token adds to decode, by attention window: decode(n, c) = decode(n, 0) + n sum_g a_g min(c, w_g).
  std::vector<AttendedCost> attended() const;

  // `tokens` of a prompt behind `depth` cached ones.
  Prediction prefill(double tokens, double depth) const;

  // Two all-reduces a layer of a tensor-parallel group, after attention and after the MLP; 0 elsewhere. Of
  // distributed-llama: two rounds from the first device to the others and back, in eight bits.
  Prediction all_reduces(double tokens) const;

  // There and back over the slot, once for each layer with experts on the host.
  Prediction host_hops(double tokens) const;

  // Activations from the stage before; 0 for the first.
  Prediction hop(double tokens) const;

  // What llama.cpp's RPC adds to a pass that enters another box; 0 elsewhere.
  Prediction rpc() const;

  // Activations each way over one device's link.
  Bytes moved(double tokens) const;

  bool crosses_boxes() const { return hops_ && between_boxes_; }
  const CollectiveLink& hop_link() const { return hop_link_; }

 private:
  void slow_down(const SpeedQuestion& question, const Stage& stage);
  void keep_in_step(Prediction& time) const;

  const TimingParameters* parameters_;
  ModelWork part_;
  DeviceRates rates_;
  EngineRun run_;
  double kv_bytes_per_f16_ = 1;
  Banded<double> decode_kept_{1, 1, 1};  // speed under a power limit
  Banded<double> prefill_kept_{1, 1, 1};
  int layers_ = 0;
  int shards_ = 1;
  CollectiveGroup group_;
  bool star_ = false;    // ranks meet at the first one
  int host_layers_ = 0;  // with their experts on the host
  ModelWork host_experts_;
  DeviceRates host_rates_;
  EngineRun host_run_;
  CollectiveLink host_link_;
  bool hops_ = false;
  bool between_boxes_ = false;
  CollectiveLink hop_link_;
  Bytes activation_{};      // of a token inside a layer
  Bytes hop_activation_{};  // of a token between layers
  Prediction rpc_;
};

}  // namespace oblea
