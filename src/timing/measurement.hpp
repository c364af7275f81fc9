// Measurement: a published speed of one device, with what a prediction of it needs.
#pragma once

#include <string>

#include "timing/engine_run.hpp"
#include "timing/timing_parameters.hpp"

namespace oblea {

struct Measurement {
  std::string id;
  std::string source;
  std::string date;
  std::string quality;        // "A" is scored
  std::string device;         // profile id
  std::string model;          // model id
  std::string mixture;        // format of the file
  std::string trunk_mixture;  // of what is not a routed expert, where the file mixes two recipes; empty: as mixture
  double file_bytes = 0;      // of the weights file; 0: not published
  EngineRun run;
  PassKind kind = PassKind::decode;
  double batch = 1;
  double prompt_tokens = 0;  // prefill
  double context = 0;        // tokens in the cache at the start
  double generated = 0;      // decode: tokens that the speed is a mean over
  double kv_bytes_per_f16 = 1;
  double seconds = 0;         // measured: of one decode step or of the whole prompt
  std::string out_of_domain;  // why the timing model does not cover it; empty: it does
};

// Decode speeds are means over a growing context: the middle of it stands for all.
inline double mean_context(const Measurement& row) { return row.context + row.generated / 2; }

}  // namespace oblea
