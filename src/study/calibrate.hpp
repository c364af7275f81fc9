// Calibrate: fits the timing model to published measurements and judges it on devices that the fit has not seen.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "hardware/device.hpp"
#include "llm/model_spec.hpp"
#include "timing/measurement.hpp"
#include "timing/timing_parameters.hpp"

namespace oblea {

// One measurement beside the prediction of a fit that left its device out.
struct LeftOutRow {
  Measurement measurement;
  double predicted_s = 0;
  double low_s = 0;  // the band printed with it, from the errors of the other devices only
  double high_s = 0;
  double log_error() const;    // log(predicted / measured time): above 0 is too slow
  double speed_error() const;  // predicted / measured speed - 1
  bool in_band() const { return measurement.seconds >= low_s && measurement.seconds <= high_s; }
};

struct ErrorSummary {
  int rows = 0;
  double median = 0;  // of the absolute speed error
  double p90 = 0;
  double worst = 0;
  double bias = 0;      // median signed speed error
  double coverage = 0;  // share of rows in their band
};

struct Calibration {
  TimingParameters parameters;            // fitted on every device
  std::vector<LeftOutRow> decode;         // batch 1, scored
  std::vector<LeftOutRow> prefill;        // scored
  std::vector<LeftOutRow> batched;        // decode of more than one sequence: predicted, never fitted
  std::vector<LeftOutRow> less_sure;      // decode and prefill of quality B: predicted, never fitted
  std::vector<LeftOutRow> out_of_domain;  // predicted for the record, neither fitted nor scored
};

// Errors: a measurement that names an unknown device, model or mixture.
Result<Calibration> calibrate(const std::vector<Measurement>& rows, const std::map<std::string, Device>& devices,
                              const std::map<std::string, ModelSpec>& models, const std::string& date);

ErrorSummary summarise(const std::vector<LeftOutRow>& rows);

// The tables that `oblea calibrate` prints.
std::string print_calibration(const Calibration& calibration);

}  // namespace oblea
