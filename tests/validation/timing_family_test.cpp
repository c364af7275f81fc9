// Whole families of devices left out: what the model says of a maker or an architecture of which it has seen no row.
#include <functional>
#include <map>

#include <gtest/gtest.h>

#include "io/measurements.hpp"
#include "io/model_file.hpp"
#include "io/read_profiles.hpp"
#include "study/calibrate.hpp"

namespace oblea {
namespace {

const std::string kRoot = OBLEA_SOURCE_DIRECTORY;

// Decode errors of rows whose device `is_left_out`, predicted by a fit to all others. Rows not of quality A are never
// fitted, so the family's rows are relabelled.
ErrorSummary decode_without(const std::function<bool(const Device&)>& is_left_out) {
  const auto library = read_profile_library(kRoot + "/hardware-profiles");
  std::map<std::string, ModelSpec> models;
  Diagnostics warnings;
  std::vector<Measurement> rows;
  const auto all = read_measurements(kRoot + "/tests/validation/measurements/single-device.json");
  for (Measurement row : *all) {
    if (row.quality != "A" || row.kind != PassKind::decode || row.batch > 1) continue;
    if (is_left_out(library->devices.at(row.device))) row.quality = "B";
    if (!models.contains(row.model)) models[row.model] = *find_model(kRoot + "/scenarios/models", row.model, warnings);
    rows.push_back(std::move(row));
  }
  return summarise(calibrate(rows, library->devices, models, "2026-05-18")->less_sure);
}

TEST(TimingFamily, WithoutAnyNvidiaCardTheyArePredictedFromTheRest) {
  const ErrorSummary errors = decode_without([](const Device& d) { return d.vendor == "nvidia"; });
  EXPECT_EQ(errors.rows, 86);
  EXPECT_LE(errors.median, 0.10);
}

TEST(TimingFamily, WithoutAnyCpuTheyArePredictedFromThePriors) {
  const ErrorSummary errors = decode_without([](const Device& d) { return d.kind == DeviceKind::cpu; });
  EXPECT_EQ(errors.rows, 69);
  EXPECT_LE(errors.median, 0.15);
}

TEST(TimingFamily, WithoutAnyAmdGpuTheyArePredictedFromTheRest) {
  const ErrorSummary errors =
      decode_without([](const Device& d) { return d.vendor == "amd" && d.kind != DeviceKind::cpu; });
  EXPECT_EQ(errors.rows, 68);
  EXPECT_LE(errors.median, 0.15);
  EXPECT_GE(errors.coverage, 0.80);
}

TEST(TimingFamily, WithoutAnyMacTheyArePredictedTooFastButInTheRightRegion) {
  const ErrorSummary errors =
      decode_without([](const Device& d) { return d.architecture == "apple" && d.kind == DeviceKind::soc; });
  EXPECT_EQ(errors.rows, 13);
  EXPECT_LE(errors.median, 0.30);
}

}  // namespace
}  // namespace oblea
