#include "study/calibrate.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/core.h>

#include "llm/mixture.hpp"
#include "study/error_band.hpp"
#include "study/fit.hpp"
#include "study/model_work.hpp"
#include "timing/band.hpp"
#include "timing/decode.hpp"
#include "timing/prefill.hpp"

namespace oblea {
namespace {

constexpr double kDecodeSigma = 0.08;  // log error of a good row; beyond 1.5 of it a row pulls linearly
constexpr double kPrefillSigma = 0.15;
constexpr double kTail = 0.05;        // band from this quantile of left-out errors to one minus it
constexpr double kUnseenShare = 0.9;  // of the errors on families left out that the widened band covers
constexpr double kOtherClass = 0.5;   // weight in a band of rows of another class of device

// A measurement with what its prediction needs, made once.
struct Case {
  Measurement row;
  ModelWork work;
  DeviceRates rates;
};

using Cases = std::vector<Case>;

Prediction predict(const Case& c, const TimingParameters& parameters) {
  if (c.row.kind == PassKind::decode) {
    const DecodeCall call{c.row.batch, mean_context(c.row), c.row.kv_bytes_per_f16};
    return decode_step_time(c.work, call, c.rates, c.row.run, parameters);
  }
  return prefill_time(c.work, {c.row.prompt_tokens, c.row.context}, c.rates, c.row.run, parameters);
}

double log_error(const Case& c, const TimingParameters& parameters) {
  return std::log(predict(c, parameters).value.value() / c.row.seconds);
}

// Rows of one device are alike: n of them count as the square root of n.
std::vector<double> device_weights(const Cases& cases) {
  std::map<std::string, int> count;
  for (const Case& c : cases) ++count[c.row.device];
  std::vector<double> weights;
  double sum = 0;
  for (const Case& c : cases) {
    weights.push_back(1 / std::sqrt(count[c.row.device]));
    sum += weights.back();
  }
  for (double& w : weights) w *= static_cast<double>(cases.size()) / sum;
  return weights;
}

struct Slice {
  int first = 0;
  int count = 0;
  double sigma = 0;
};

Slice slice_of(PassKind kind) {
  if (kind == PassKind::decode) return {0, kDecodeParameterCount, kDecodeSigma};
  return {kDecodeParameterCount, kTimingParameterCount - kDecodeParameterCount, kPrefillSigma};
}

// Fits the parameters of one kind of pass to rows of that kind; the others stay.
TimingParameters fit(const Cases& cases, PassKind kind, const TimingParameters& start) {
  const Slice slice = slice_of(kind);
  const auto& table = all_timing_parameters();
  FitProblem problem;
  problem.rows = static_cast<int>(cases.size());
  problem.sigma = slice.sigma;
  problem.weights = device_weights(cases);
  std::vector<double> x;
  for (int i = slice.first; i < slice.first + slice.count; ++i) {
    const auto index = static_cast<std::size_t>(i);
    problem.prior.push_back(std::log(table[index].prior));
    problem.spread.push_back(table[index].spread);
    x.push_back(std::log(start.values[index]));
  }
  TimingParameters moving = start;
  const auto apply = [&](const std::vector<double>& logs) {
    for (int i = 0; i < slice.count; ++i) {
      moving.values[static_cast<std::size_t>(slice.first) + static_cast<std::size_t>(i)] =
          std::exp(logs[static_cast<std::size_t>(i)]);
    }
  };
  problem.residuals = [&](const std::vector<double>& logs, std::vector<double>& out) {
    apply(logs);
    for (std::size_t i = 0; i < cases.size(); ++i) out[i] = log_error(cases[i], moving);
  };
  apply(robust_fit(problem, std::move(x)));
  FamilySet& seen = moving.families[static_cast<std::size_t>(kind)];
  seen.reset();
  for (const Case& c : cases) seen.set(static_cast<std::size_t>(family_of(c.rates)));
  return moving;
}

// The band for a class of device from left-out errors, leaving out one device's (empty: none).
ErrorBand band_from(const Cases& cases, const std::vector<double>& errors, BandClass device_class,
                    const std::string& without) {
  const std::vector<double> weights = device_weights(cases);
  std::vector<WeightedError> used;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (cases[i].row.device == without) continue;
    const double share = band_class(cases[i].rates) == device_class ? 1.0 : kOtherClass;
    used.push_back({errors[i], weights[i] * share});
  }
  return error_band(std::move(used), kTail);
}

std::set<std::string> devices_of(const Cases& cases) {
  std::set<std::string> devices;
  for (const Case& c : cases) devices.insert(c.row.device);
  return devices;
}

// How far beyond its class's band a family lies that the fit has not seen, as a multiple of the band.
struct FamilyMiss {
  std::string device;
  double multiple = 0;
  double weight = 1;
};

Cases of_family(const Cases& cases, int family, bool inside) {
  Cases chosen;
  for (const Case& c : cases) {
    if ((family_of(c.rates) == family) == inside) chosen.push_back(c);
  }
  return chosen;
}

// Leaves every family of `cases` out in turn; `extra` rows of families that have none in `cases` are missed anyway.
// Every family weighs the same, for a family not seen is one more of them.
std::vector<FamilyMiss> leave_families_out(const Cases& cases, const Cases& extra, PassKind kind,
                                           const TimingParameters& full) {
  std::vector<FamilyMiss> misses;
  for (int family = 0; family < kFamilyCount; ++family) {
    const bool seen = full.families[static_cast<std::size_t>(kind)].test(static_cast<std::size_t>(family));
    Cases missed = of_family(seen ? cases : extra, family, true);
    std::erase_if(missed, [](const Case& c) { return c.row.batch > 1; });
    const Cases others = of_family(cases, family, false);
    if (missed.empty() || others.empty()) continue;
    const TimingParameters without = seen ? fit(others, kind, full) : full;
    const std::vector<double> weights = device_weights(missed);
    for (std::size_t i = 0; i < missed.size(); ++i) {
      const ErrorBand& band = full.band(kind, band_class(missed[i].rates));
      const double error = log_error(missed[i], without);
      const double edge = error > 0 ? band.high : band.low;
      const double weight = weights[i] / static_cast<double>(missed.size());
      misses.push_back({missed[i].row.device, edge == 0 ? 1.0 : error / edge, weight});
    }
  }
  return misses;
}

// The factor that makes bands cover kUnseenShare of the misses, those of one device left aside (empty: none).
double unseen_widening(const std::vector<FamilyMiss>& misses, const std::string& without) {
  std::vector<WeightedError> multiples;
  for (const FamilyMiss& miss : misses) {
    if (miss.device != without) multiples.push_back({miss.multiple, miss.weight});
  }
  return std::max(weighted_quantile(std::move(multiples), kUnseenShare), 1.0);
}

LeftOutRow left_out_row(const Case& c, const TimingParameters& parameters) {
  const Prediction p = predict(c, parameters);
  return {c.row, p.value.value(), p.low.value(), p.high.value()};
}

// Leaves every device out in turn. `extra` rows are predicted by the fit without their device, but never fitted.
void leave_devices_out(const Cases& cases, const Cases& extra, PassKind kind, TimingParameters& full,
                       std::vector<LeftOutRow>& scored, std::vector<LeftOutRow>& predicted) {
  std::map<std::string, TimingParameters> without;
  std::vector<double> errors(cases.size());
  for (const std::string& device : devices_of(cases)) {
    Cases others;
    for (const Case& c : cases) {
      if (c.row.device != device) others.push_back(c);
    }
    without[device] = fit(others, kind, full);
    for (std::size_t i = 0; i < cases.size(); ++i) {
      if (cases[i].row.device == device) errors[i] = log_error(cases[i], without[device]);
    }
  }
  for (const BandClass device_class : {BandClass::gpu, BandClass::unified, BandClass::cpu}) {
    full.band(kind, device_class) = band_from(cases, errors, device_class, "");
  }
  const std::vector<FamilyMiss> misses = leave_families_out(cases, extra, kind, full);
  const auto index = static_cast<std::size_t>(kind);
  full.unseen_widening[index] = unseen_widening(misses, "");
  const auto judge = [&](const Case& c, std::vector<LeftOutRow>& out) {
    const auto found = without.find(c.row.device);
    TimingParameters parameters = found == without.end() ? full : found->second;
    const BandClass device_class = band_class(c.rates);
    parameters.band(kind, device_class) = band_from(cases, errors, device_class, c.row.device);
    parameters.unseen_widening[index] = unseen_widening(misses, c.row.device);
    out.push_back(left_out_row(c, parameters));
  };
  for (const Case& c : cases) judge(c, scored);
  for (const Case& c : extra) judge(c, predicted);
}

bool make_case(const Measurement& row, const std::map<std::string, Device>& devices,
               const std::map<std::string, ModelSpec>& models, Case& out, Diagnostics& diagnostics) {
  const auto device = devices.find(row.device);
  const auto model = models.find(row.model);
  const Mixture* mixture = find_mixture(row.mixture);
  const Mixture* trunk = row.trunk_mixture.empty() ? mixture : find_mixture(row.trunk_mixture);
  const auto fault = [&](std::string_view what, std::string_view name) {
    diagnostics.push_back(
        {Severity::error, {}, fmt::format("measurement {}: unknown {} \"{}\"", row.id, what, name), ""});
  };
  if (device == devices.end()) fault("device", row.device);
  if (model == models.end()) fault("model", row.model);
  if (mixture == nullptr) fault("mixture", row.mixture);
  if (trunk == nullptr) fault("mixture", row.trunk_mixture);
  if (device == devices.end() || model == models.end() || mixture == nullptr || trunk == nullptr) return false;
  out = {row, make_file_work(model->second, *mixture, *trunk, row.file_bytes), make_device_rates(device->second)};
  return true;
}

}  // namespace

double LeftOutRow::log_error() const { return std::log(predicted_s / measurement.seconds); }
double LeftOutRow::speed_error() const { return measurement.seconds / predicted_s - 1; }

Result<Calibration> calibrate(const std::vector<Measurement>& rows, const std::map<std::string, Device>& devices,
                              const std::map<std::string, ModelSpec>& models, const std::string& date) {
  Diagnostics diagnostics;
  Cases decode, prefill, batched, less_sure, outside;
  for (const Measurement& row : rows) {
    Case c;
    if (!make_case(row, devices, models, c, diagnostics)) continue;
    Cases& list = !row.out_of_domain.empty()      ? outside
                  : row.quality != "A"            ? less_sure
                  : row.kind == PassKind::prefill ? prefill
                  : row.batch > 1                 ? batched
                                                  : decode;
    list.push_back(std::move(c));
  }
  if (decode.empty()) diagnostics.push_back({Severity::error, {}, "no decode measurement to fit to", ""});
  if (has_errors(diagnostics)) return fail(std::move(diagnostics));

  Calibration result;
  Cases less_sure_decode, less_sure_prefill;
  for (Case& c : less_sure)
    (c.row.kind == PassKind::decode ? less_sure_decode : less_sure_prefill).push_back(std::move(c));
  TimingParameters& full = result.parameters;
  full = fit(decode, PassKind::decode, prior_timing_parameters());
  if (!prefill.empty()) full = fit(prefill, PassKind::prefill, full);
  Cases extra = batched;
  extra.insert(extra.end(), less_sure_decode.begin(), less_sure_decode.end());
  std::vector<LeftOutRow> predicted;
  leave_devices_out(decode, extra, PassKind::decode, full, result.decode, predicted);
  if (!prefill.empty())
    leave_devices_out(prefill, less_sure_prefill, PassKind::prefill, full, result.prefill, predicted);
  for (LeftOutRow& row : predicted) {
    (row.measurement.quality == "A" ? result.batched : result.less_sure).push_back(std::move(row));
  }
  for (const Case& c : outside) result.out_of_domain.push_back(left_out_row(c, full));
  full.date = date;
  full.provenance =
      fmt::format("fitted by oblea calibrate to {} decode rows of {} devices and {} prefill rows of {} devices",
                  decode.size(), devices_of(decode).size(), prefill.size(), devices_of(prefill).size());
  return result;
}

}  // namespace oblea
