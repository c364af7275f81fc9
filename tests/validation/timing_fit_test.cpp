// The committed timing parameters are what the fit gives, and the fit predicts unseen devices as well as the README
// says.
#include <fstream>
#include <map>

#include <gtest/gtest.h>

#include "io/measurements.hpp"
#include "io/model_file.hpp"
#include "io/read_profiles.hpp"
#include "io/timing_parameters_file.hpp"
#include "study/calibrate.hpp"

namespace oblea {
namespace {

const std::string kRoot = OBLEA_SOURCE_DIRECTORY;

const Calibration& fitted() {
  static const Calibration calibration = [] {
    const auto rows = read_measurements(kRoot + "/tests/validation/measurements/single-device.json");
    const auto library = read_profile_library(kRoot + "/hardware-profiles");
    std::map<std::string, ModelSpec> models;
    Diagnostics warnings;
    for (const Measurement& row : *rows) {
      if (!models.contains(row.model))
        models[row.model] = *find_model(kRoot + "/scenarios/models", row.model, warnings);
    }
    auto result = calibrate(*rows, library->devices, models, "2026-05-18");
    if (!result) ADD_FAILURE() << print_diagnostics(result.error());
    return *result;
  }();
  return calibration;
}

TEST(TimingFit, TheCommittedParametersAreWhatTheFitGives) {
  const auto committed = read_timing_parameters(kRoot + "/hardware-profiles/timing/llama-cpp.json");
  ASSERT_TRUE(committed) << print_diagnostics(committed.error());
  const TimingParameters& fit = fitted().parameters;
  const auto& table = all_timing_parameters();
  for (std::size_t i = 0; i < table.size(); ++i) {
    EXPECT_NEAR(committed->values[i] / fit.values[i], 1, 0.01) << table[i].name << ": run oblea calibrate --write";
  }
  for (std::size_t i = 0; i < fit.bands.size(); ++i) {
    EXPECT_NEAR(committed->bands[i].low, fit.bands[i].low, 0.01) << i;
    EXPECT_NEAR(committed->bands[i].high, fit.bands[i].high, 0.01) << i;
  }
}

// Intel cards and AMD's with HBM have decode rows of quality B only, so the fit never saw them.
TEST(TimingFit, AFamilyWithoutRowsCarriesAWiderBandThatHoldsItsSingleFacts) {
  const auto committed = read_timing_parameters(kRoot + "/hardware-profiles/timing/llama-cpp.json");
  const TimingParameters& fit = fitted().parameters;
  for (std::size_t i = 0; i < fit.families.size(); ++i) {
    EXPECT_EQ(committed->families[i], fit.families[i]);
    EXPECT_NEAR(committed->unseen_widening[i], fit.unseen_widening[i], 0.01);
    EXPECT_FALSE(fit.families[i].test(static_cast<std::size_t>(find_family("intel gddr"))));
  }
  EXPECT_TRUE(fit.families[0].test(static_cast<std::size_t>(find_family("amd gddr"))));
  EXPECT_GE(fit.unseen_widening[0], 1.2);
  EXPECT_LE(fit.unseen_widening[0], 2.0);
  for (const LeftOutRow& row : fitted().less_sure) {
    if (row.measurement.device == "arc-b580") {
      EXPECT_TRUE(row.in_band()) << row.measurement.id;
    }
  }
}

TEST(TimingFit, DecodeOnUnseenDevicesIsWithinTenPercentAtTheMedian) {
  const ErrorSummary decode = summarise(fitted().decode);
  EXPECT_EQ(decode.rows, 236);
  EXPECT_LE(decode.median, 0.10);
  EXPECT_LE(decode.p90, 0.25);
  EXPECT_LE(std::abs(decode.bias), 0.03);
  EXPECT_GE(decode.coverage, 0.80);
  EXPECT_LE(decode.coverage, 0.95);
}

TEST(TimingFit, DecodeStaysWithinItsLimitsWithRowsOutOfDomainCounted) {
  std::vector<LeftOutRow> rows = fitted().decode;
  for (const LeftOutRow& row : fitted().out_of_domain) {
    const Measurement& m = row.measurement;
    if (m.kind == PassKind::decode && m.batch == 1 && m.quality == "A") rows.push_back(row);
  }
  const ErrorSummary all = summarise(rows);
  EXPECT_EQ(all.rows, 242);
  EXPECT_LE(all.median, 0.10);
  EXPECT_LE(all.p90, 0.25);
  EXPECT_GE(all.coverage, 0.80);
}

TEST(TimingFit, PrefillOnUnseenDevicesIsWithinTwentyPercentAtTheMedian) {
  const ErrorSummary prefill = summarise(fitted().prefill);
  EXPECT_EQ(prefill.rows, 218);
  EXPECT_LE(prefill.median, 0.20);
  EXPECT_GE(prefill.coverage, 0.80);
  EXPECT_LE(prefill.coverage, 0.95);
}

TEST(TimingFit, BatchesThatWereNeverFittedArePredictedToo) {
  const ErrorSummary batched = summarise(fitted().batched);
  EXPECT_EQ(batched.rows, 40);
  EXPECT_LE(batched.median, 0.25);
}

// Lines of README.md's fenced tables, which begin with a device or "all", are lines that the command prints.
TEST(TimingFit, TheReadmeShowsWhatTheCommandPrints) {
  std::ifstream readme(kRoot + "/src/timing/README.md");
  const std::string printed = print_calibration(fitted());
  std::string line;
  int compared = 0;
  while (std::getline(readme, line)) {
    if (line.size() != 77 || line.back() != '%') continue;
    EXPECT_NE(printed.find(line), std::string::npos) << line;
    ++compared;
  }
  EXPECT_GE(compared, 50);
}

TEST(TimingFit, RowsOfQualityBThatWereNeverFittedArePredictedToo) {
  const ErrorSummary less_sure = summarise(fitted().less_sure);
  EXPECT_EQ(less_sure.rows, 95);
  EXPECT_LE(less_sure.median, 0.20);
}

}  // namespace
}  // namespace oblea
