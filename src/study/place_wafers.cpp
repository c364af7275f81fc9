#include "study/place_wafers.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/core.h>

#include "base/check.hpp"
#include "base/limits.hpp"
#include "placement/wafer.hpp"
#include "study/provenance.hpp"
#include "study/wafer_chain.hpp"
#include "timing/wafer.hpp"
#include "units/print.hpp"

namespace oblea {
namespace {

constexpr WaferRule kRules[] = {WaferRule::full_attention_alone, WaferRule::two_everywhere, WaferRule::any_order};

struct LayerCounts {
  int full = 0;    // KV grows with the context
  int linear = 0;  // a state of fixed size
  Bytes heaviest_full{};
  Bytes heaviest_linear{};
};

LayerCounts count_layers(const ModelFootprint& model) {
  LayerCounts counts;
  for (const LayerFootprint& layer : model.layers) {
    const bool full = layer.kv_per_token.value() > 0 && layer.window == 0;
    (full ? counts.full : counts.linear) += 1;
    Bytes& heaviest = full ? counts.heaviest_full : counts.heaviest_linear;
    heaviest = std::max(heaviest, layer.weights);
  }
  return counts;
}

std::string in_thousands(Tokens tokens) { return fmt::format("{:.1f}k", tokens.value() / 1e3); }

bool has_state(const WaferPlan& plan) {
  return std::any_of(plan.wafers.begin(), plan.wafers.end(),
                     [](const Wafer& w) { return w.state_per_request.value() > 0; });
}

// Without state nothing but the context bounds the requests, so no count of them is told.
std::string plan_words(const WaferPlan& plan, double users) {
  std::string text = fmt::format("{} wafers; ", plan.wafers.size());
  if (has_state(plan)) text += fmt::format("state allows {} requests; ", print_count(plan.requests_max));
  text += fmt::format("full-attention wafers hold {:.1f} M tokens: ", plan.kv_tokens.value() / 1e6);
  if (has_state(plan))
    text += fmt::format("{} a request then, ", in_thousands(tokens_per_request(plan, plan.requests_max)));
  return text + fmt::format("{}{} at {}", in_thousands(tokens_per_request(plan, users)),
                            has_state(plan) ? "" : " a request", print_count(users));
}

std::string layers_of(const Wafer& wafer) {
  std::string text;
  for (const int layer : wafer.layers) text += fmt::format("{}{}", text.empty() ? "" : ", ", layer + 1);
  return text;
}

int hop_count(const WaferPlan& plan, int layers) {
  const std::vector<int> entries = wafer_entries(plan, layers);
  return std::accumulate(entries.begin(), entries.end(), 0);
}

void add_wafer_rows(Report& report, const WaferPlan& plan, const Device& device, double requests, Tokens context) {
  for (std::size_t w = 0; w < plan.wafers.size(); ++w) {
    const Wafer& wafer = plan.wafers[w];
    DeviceRow row;
    row.device = fmt::format("{} #{}", device.architecture, w + 1);
    row.layers = layers_of(wafer);
    row.capacity = plan.sram;
    row.weights = wafer.weights;
    row.kv = context * wafer.kv_per_token * requests;
    row.state = wafer.state_per_request * requests;
    row.free = plan.sram - wafer.weights - row.kv - row.state;
    report.placement.push_back(std::move(row));
  }
}

void add_plan_metrics(std::vector<Metric>& metrics, const WaferPlan& plan, const LayerCounts& counts) {
  metrics.push_back(exact_metric("layers", counts.full + counts.linear, "layers"));
  metrics.push_back(exact_metric("layers_full_attention", counts.full, "layers"));
  metrics.push_back(exact_metric("layers_linear_attention", counts.linear, "layers"));
  metrics.push_back(exact_metric("wafers", static_cast<double>(plan.wafers.size()), "wafers"));
  const auto weights = [&](const char* name, Bytes bytes) {  // the recipe is met within 1 %
    if (bytes.value() > 0)
      metrics.push_back(
          make_metric(name, bytes / kGB, "GB", bytes / kGB * 0.99, bytes / kGB * 1.01, Origin::datasheet));
  };
  weights("layer_weights_linear_gb", counts.heaviest_linear);
  weights("layer_weights_full_gb", counts.heaviest_full);
  // One per cent of the weights more or less is so much of what they leave, on the fullest wafer of each kind.
  const auto left = [&](const char* name, double value, const char* unit, bool grows) {
    double share = 0;
    for (const Wafer& wafer : plan.wafers) {
      if ((wafer.kv_per_token.value() > 0) != grows || wafer.free.value() <= 0) continue;
      share = std::max(share, 0.01 * (wafer.weights / wafer.free));
    }
    metrics.push_back(make_metric(name, value, unit, std::floor(value * (1 - share)), std::ceil(value * (1 + share)),
                                  Origin::estimate));
  };
  left("kv_tokens", plan.kv_tokens.value(), "tokens", true);
  if (!has_state(plan)) return;
  left("requests_max", plan.requests_max, "requests", false);
  left("tokens_per_request_at_max", tokens_per_request(plan, plan.requests_max).value(), "tokens", true);
}

void add_speed_and_power(std::vector<Metric>& metrics, const WaferPlan& plan, const ModelFootprint& model,
                         const Device& device, const Scenario& scenario) {
  int most = 0;
  for (const Wafer& wafer : plan.wafers) most = std::max(most, static_cast<int>(wafer.layers.size()));
  const int layers = static_cast<int>(model.layers.size());
  const Bytes activation(static_cast<double>(model.hidden) * 2 * model.boundary_factor);
  const WaferStep step = wafer_decode_step(device, layers, hop_count(plan, layers) + 1, most, activation);
  const auto per_second = [](Seconds s) { return 1 / s.value(); };
  metrics.push_back(make_metric("decode_tokens_per_s", per_second(step.token.value), "tokens/s a user",
                                per_second(step.token.high), per_second(step.token.low), Origin::estimate));
  const double hop_share = 100 * (step.hops + step.payload).value() / step.token.value.value();
  metrics.push_back(make_metric("hop_share_percent", hop_share, "%", hop_share * 0.85, std::min(100.0, hop_share * 2.2),
                                Origin::estimate));
  // N requests in flight: N / token time, at most one token an interval.
  const auto total = [&](Seconds token, Seconds interval) {
    return std::min(scenario.workload.users / token.value(), 1 / interval.value());
  };
  const double scale_low = step.token.high.value() / step.token.value.value();
  const double scale_high = step.token.low.value() / step.token.value.value();
  const double tokens = total(step.token.value, step.interval);
  const double tokens_low = total(step.token.high, step.interval * scale_low);
  const double tokens_high = total(step.token.low, step.interval * scale_high);
  metrics.push_back(
      make_metric("decode_total_tokens_per_s", tokens, "tokens/s", tokens_low, tokens_high, Origin::estimate));
  const double megawatts = device.tdp.value.value() * static_cast<double>(plan.wafers.size()) / 1e6;
  const double spread = device.tdp.is_estimate() ? 0.3 : 0.1;
  metrics.push_back(
      make_metric("power_mw", megawatts, "MW", megawatts * (1 - spread), megawatts * (1 + spread), Origin::estimate));
  metrics.push_back(make_metric("tokens_per_s_per_mw", tokens / megawatts, "tokens/s/MW",
                                tokens_low / megawatts / (1 + spread), tokens_high / megawatts / (1 - spread),
                                Origin::estimate));
}

void add_vocabulary_note(Report& report, const WaferPlan& plan, double requests, Tokens context) {
  const VocabularyPlace place = place_vocabulary(plan, requests, context);
  report.metrics.push_back(exact_metric("wafers_with_vocabulary",
                                        static_cast<double>(plan.wafers.size()) + place.extra_wafers, "wafers",
                                        Origin::estimate));
  report.notes.push_back(fmt::format("embedding ({}) {}, head ({}) {}: {} wafers more than the layers take",
                                     print_gb(place.embedding),
                                     place.embedding_on_first ? "on the first wafer" : "beside", print_gb(place.head),
                                     place.head_on_last ? "on the last wafer" : "beside", place.extra_wafers));
}

// The matrix alone is what most texts count; the tail of the short convolution makes a request a little larger.
void add_state_note(Report& report, const WaferPlan& plan, const ModelSpec& model) {
  double requests = kMaxUsers;
  double matrix_bytes = 0;
  for (const Wafer& wafer : plan.wafers) {
    double matrices = 0;
    for (const int layer : wafer.layers) {
      const Attention& attention = model.layers[static_cast<std::size_t>(layer)].attention;
      if (attention.kind != AttentionKind::linear) continue;
      matrix_bytes = 4.0 * attention.value_heads * attention.key_dim * attention.value_dim;
      matrices += matrix_bytes;
    }
    if (matrices > 0) requests = std::min(requests, std::floor(wafer.free.value() / matrices));
  }
  if (matrix_bytes <= 0) return;
  report.metrics.push_back(exact_metric("requests_max_matrix_state_only", requests, "requests", Origin::estimate));
  report.notes.push_back(
      fmt::format("a request's state in a linear layer is an fp32 matrix of {:.2f} MB and the tail of its short "
                  "convolution; by the matrix alone {} requests would fit instead of {}",
                  matrix_bytes / 1e6, print_count(requests), print_count(plan.requests_max)));
}

}  // namespace

Result<Report> place_wafers(const Scenario& scenario, const ProfileLibrary& library) {
  const Device& device = *find(library.devices, scenario.wafers->device);
  if (!device.layer_latency) {
    return fail(fmt::format("{} has no layer_latency: its speed is unknown", device.name),
                "add it to the profile, with its source");
  }
  const Mixture* mixture = find_mixture(scenario.mixture);
  OBLEA_CHECK(mixture != nullptr, "the scenario reader checks quantisations");
  const ModelFootprint model = make_footprint(scenario.model, *mixture, scenario.cache());
  const Bytes sram = device.memory.value;
  const WaferPlan plan = plan_wafers(
      model, sram,
      {.rule = find_wafer_rule(scenario.wafers->rule), .layers_per_wafer_max = scenario.wafers->layers_max});
  Report report;
  report.command = "place";
  report.memory_in_gb = true;
  report.question = scenario.question.empty()
                        ? fmt::format("How many {} does {} take, and what do they leave for context?", device.name,
                                      scenario.model.name)
                        : scenario.question;
  report.verdicts.push_back(wafer_fit_verdict(plan, scenario, device));
  report.provenance = provenance_of({&device}, scenario.model, nullptr, library.prices);
  const bool fits = report.verdicts.front().answer == Answer::yes;
  report.metrics.push_back(exact_metric("fits", fits ? 1 : 0, "yes/no", Origin::estimate));
  report.metrics.push_back(exact_metric("weights_gb", model.weights() / kGB, "GB"));
  if (plan.too_large_layer >= 0) return report;
  const LayerCounts counts = count_layers(model);
  add_plan_metrics(report.metrics, plan, counts);
  add_speed_and_power(report.metrics, plan, model, device, scenario);
  add_vocabulary_note(report, plan, scenario.workload.users, scenario.workload.context);
  for (const WaferRule rule : kRules) {
    const WaferPlan other =
        plan_wafers(model, sram, {.rule = rule, .layers_per_wafer_max = scenario.wafers->layers_max});
    const Tokens room = tokens_per_request(other, scenario.workload.users);
    report.options.push_back({std::string(wafer_rule_name(rule)), room >= scenario.workload.context,
                              plan_words(other, scenario.workload.users), room.value(), 0});
  }
  add_wafer_rows(report, plan, device, fits ? scenario.workload.users : 0,
                 fits ? scenario.workload.context : Tokens(0));
  report.notes.push_back(
      "a layer takes the time that published token rates leave for it, on-wafer latency and all; prefill, speculation, "
      "spare wafers and working buffers are not counted");
  add_state_note(report, plan, scenario.model);
  return report;
}

}  // namespace oblea
