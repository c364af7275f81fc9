#include "study/describe_model.hpp"

#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "base/hash.hpp"
#include "base/suggest.hpp"
#include "llm/footprint.hpp"
#include "llm/mixture.hpp"
#include "llm/parameters.hpp"
#include "placement/layer_loads.hpp"
#include "units/print.hpp"

namespace oblea {
namespace {

constexpr Tokens kLlamaMicroBatch{512};
constexpr std::array<KvFormat, 3> kShownKv{KvFormat::f16, KvFormat::q8_0, KvFormat::q4_0};

const Mixture& mixture_of(const ModelSpec& model, const std::string& asked) {
  if (!asked.empty()) return *find_mixture(asked);
  if (model.stored) return *find_mixture(kStoredMixture);
  const Mixture* native = find_mixture(model.native_format);
  return native != nullptr ? *native : *find_mixture("BF16");
}

bool has_windows(const ModelFootprint& model) {
  return std::any_of(model.layers.begin(), model.layers.end(), [](const LayerFootprint& l) { return l.window > 0; });
}

// Bytes that a further token of a long context adds, and bytes that a request holds whatever its context.
struct CacheSlope {
  BytesPerToken growing{};
  BytesPerToken windowed{};
  Bytes state{};
};

CacheSlope cache_slope(const ModelFootprint& model) {
  CacheSlope slope;
  for (const LayerFootprint& layer : model.layers) {
    (layer.window > 0 ? slope.windowed : slope.growing) += layer.kv_per_token;
    slope.state += layer.state_per_request;
  }
  return slope;
}

std::string attention_words(const Attention& a) {
  switch (a.kind) {
    case AttentionKind::none:
      return "none";
    case AttentionKind::full:
    case AttentionKind::sliding: {
      std::string words = fmt::format("{} heads, {} KV, width {}", a.heads, a.kv_heads, a.head_dim);
      if (a.v_head_dim > 0 && a.v_head_dim != a.head_dim) words += fmt::format(" (V {})", a.v_head_dim);
      return a.window > 0 ? fmt::format("window {}: {}", a.window, words) : "full: " + words;
    }
    case AttentionKind::latent:
      return fmt::format("latent: {} heads, {} + {} cached", a.heads, a.kv_lora_rank, a.rope_dim);
    case AttentionKind::linear:
    case AttentionKind::ssm:
      return fmt::format("recurrent: {} x {} x {}", a.value_heads, a.value_dim, a.key_dim);
    case AttentionKind::conv:
      return fmt::format("convolution: {} taps of {}", a.conv_kernel, a.value_dim);
    case AttentionKind::compressed:
      if (a.compress_ratio == 0) return fmt::format("window {}: {} heads, width {}", a.window, a.heads, a.head_dim);
      return fmt::format("compressed: {} heads, {} cached for {} tokens", a.heads, a.head_dim, a.compress_ratio);
    case AttentionKind::projection:
      return "one matrix";
  }
  return "";
}

std::string mlp_words(const Mlp& mlp) {
  if (mlp.kind == MlpKind::none) return "none";
  if (mlp.kind == MlpKind::projection) return "one matrix";
  if (mlp.kind == MlpKind::dense) return fmt::format("dense {}", mlp.intermediate);
  std::string words = fmt::format("{} of {} experts of {}", mlp.active_experts, mlp.experts, mlp.intermediate);
  if (mlp.shared_intermediate > 0) words += fmt::format(", shared {}", mlp.shared_intermediate);
  if (mlp.dense_intermediate > 0) words += fmt::format(", dense {}", mlp.dense_intermediate);
  return words;
}

// "0-2, 4-6": the layers that are alike, cut where there are many runs.
std::string range_words(const std::vector<int>& indices) {
  constexpr int kRunsShown = 4;
  std::string words;
  int runs = 0;
  for (std::size_t i = 0; i < indices.size();) {
    std::size_t end = i;
    while (end + 1 < indices.size() && indices[end + 1] == indices[end] + 1) ++end;
    if (++runs > kRunsShown) return words + ", ...";
    words += fmt::format("{}{}", words.empty() ? "" : ", ", indices[i]);
    if (end > i) words += fmt::format("-{}", indices[end]);
    i = end + 1;
  }
  return words;
}

// Layers of one shape; their weights may differ where a file mixes formats, so those are summed.
Table layer_table(const ModelSpec& model, const ModelFootprint& footprint) {
  struct Group {
    const Layer* layer;
    std::vector<int> indices;
    Bytes weights{};
  };
  std::vector<Group> groups;
  for (std::size_t i = 0; i < model.layers.size(); ++i) {
    const Layer& layer = model.layers[i];
    auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& g) { return *g.layer == layer; });
    if (group == groups.end()) group = groups.insert(groups.end(), Group{&layer, {}, {}});
    group->indices.push_back(static_cast<int>(i));
    group->weights += footprint.layers[i].weights;
  }
  Table table{"Layers",
              {{"which", ""},
               {"count", "layers"},
               {"attention", ""},
               {"mlp", ""},
               {"parameters_m", "million, each"},
               {"weights_gib", "GiB, together"},
               {"kv_bytes_per_token", "B, each"},
               {"state_mib", "MiB a request, each"}},
              {}};
  for (const Group& group : groups) {
    const LayerFootprint& one = footprint.layers[static_cast<std::size_t>(group.indices.front())];
    table.rows.push_back({range_words(group.indices), static_cast<double>(group.indices.size()),
                          attention_words(group.layer->attention), mlp_words(group.layer->mlp),
                          static_cast<double>(layer_parameters(*group.layer, model.hidden)) / 1e6, group.weights / kGiB,
                          one.kv_per_token.value(), one.state_per_request / kMiB});
  }
  return table;
}

// How engines keep a window, where the model has any.
struct WindowRule {
  const char* words;
  CacheRules rules;
};

std::vector<WindowRule> window_rules(const ModelFootprint& model) {
  if (!has_windows(model)) return {{"any engine", {}}};
  CacheRules with_micro_batch;
  with_micro_batch.window_extra = kLlamaMicroBatch;
  CacheRules whole;
  whole.respects_windows = false;
  return {{"windows alone", {}}, {"llama.cpp: window + 512", with_micro_batch}, {"no windows kept", whole}};
}

std::vector<double> shown_contexts(const ModelSpec& model, Tokens asked) {
  std::vector<double> contexts = {4096, 32768};
  if (model.max_context > 0) contexts.push_back(static_cast<double>(model.max_context));
  std::erase_if(contexts,
                [&](double c) { return model.max_context > 0 && c > static_cast<double>(model.max_context); });
  if (asked.value() > 0) contexts.push_back(asked.value());
  std::sort(contexts.begin(), contexts.end());
  contexts.erase(std::unique(contexts.begin(), contexts.end()), contexts.end());
  return contexts;
}

Table cache_table(const ModelSpec& model, const Mixture& mixture, Tokens asked) {
  Table table{"Cache and state of one request", {{"kept by", ""}, {"context_tokens", "tokens"}}, {}};
  std::vector<ModelFootprint> footprints;
  for (const KvFormat kv : kShownKv) {
    table.columns.push_back({fmt::format("{}_gib", kv_format_name(kv)), "GiB"});
    footprints.push_back(make_footprint(model, mixture, kv));
  }
  for (const WindowRule& rule : window_rules(footprints.front())) {
    for (const double context : shown_contexts(model, asked)) {
      std::vector<Cell> row = {rule.words, context};
      for (const ModelFootprint& footprint : footprints) {
        CacheDemand demand;
        demand.context = Tokens(context);
        demand.rules = rule.rules;
        const LayerLoads loads(footprint, demand);
        const Bytes held = loads.kv(0, loads.layer_count(), Tokens(context)) + loads.state(0, loads.layer_count());
        row.emplace_back(held / kGiB);
      }
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

Result<bool> check_mixture(const ModelSpec& model, const std::string& asked) {
  if (asked.empty()) return true;
  const Mixture* mixture = find_mixture(asked);
  std::vector<std::string> names;
  for (const Mixture& known : all_mixtures()) names.push_back(known.name);
  if (mixture == nullptr) return fail(fmt::format("quantisation \"{}\" is not known", asked), suggest(asked, names));
  if (mixture->name == kStoredMixture && !model.stored) {
    return fail("no weights were read, so none are stored", "name a quantisation, such as Q4_K_M");
  }
  return true;
}

}  // namespace

Result<Report> describe_model(const ModelSpec& model, const DescribeQuestion& question) {
  const Result<bool> known = check_mixture(model, question.mixture);
  if (!known) return fail(known.error());
  const Mixture& mixture = mixture_of(model, question.mixture);
  const ModelFootprint footprint = make_footprint(model, mixture);
  const CacheSlope slope = cache_slope(footprint);
  Report report;
  report.command = "import model";
  report.version = OBLEA_VERSION;
  report.question = fmt::format("What is {}? ({}, {})", model.name, model.family, mixture_words(mixture.name, model));
  const auto exact = [&](const char* name, double value, const char* unit) {
    report.metrics.push_back(exact_metric(name, value, unit));
  };
  const double parameters = static_cast<double>(total_parameters(model));
  exact("parameters_b", parameters / 1e9, "billion");
  exact("active_parameters_b", static_cast<double>(active_parameters(model)) / 1e9, "billion a token");
  if (model.extra_parameters > 0)
    exact("extra_parameters_b", static_cast<double>(model.extra_parameters) / 1e9, "billion");
  const double gib = footprint.weights() / kGiB;
  if (mixture.name == kStoredMixture)
    exact("weights_gib", gib, "GiB");
  else  // published file sizes are met within 1 %
    report.metrics.push_back(make_metric("weights_gib", gib, "GiB", gib * 0.99, gib * 1.01, Origin::datasheet));
  exact("bits_per_weight", 8 * footprint.weights().value() / (parameters + static_cast<double>(model.extra_parameters)),
        "bit");
  exact("layers", static_cast<double>(model.layers.size()), "layers");
  exact("context_made_for_tokens", static_cast<double>(model.max_context), "tokens");
  exact("kv_growing_bytes_per_token", slope.growing.value(), "B, f16");
  exact("kv_windowed_bytes_per_token", slope.windowed.value(), "B, f16, within the window");
  exact("state_mib_per_request", slope.state / kMiB, "MiB");
  report.tables.push_back(layer_table(model, footprint));
  report.tables.push_back(cache_table(model, mixture, question.context));
  report.provenance.push_back(fmt::format("geometry: {} ({}, {})", model.source, model.date, model.confidence));
  return report;
}

Result<Report> compare_models(std::span<const ModelSpec> models, const DescribeQuestion& question) {
  for (const ModelSpec& model : models) {
    const Result<bool> known = check_mixture(model, question.mixture);
    if (!known) return fail(known.error());
  }
  Report report;
  report.command = "import model";
  report.version = OBLEA_VERSION;
  report.question = fmt::format("What are these {} models?", models.size());
  Table table{"Models",
              {{"model", ""},
               {"family", ""},
               {"parameters_b", "billion"},
               {"active_b", "billion"},
               {"layers", "layers"},
               {"kv_bytes_per_token", "B, f16"},
               {"state_mib", "MiB"},
               {"context_tokens", "tokens"},
               {"format", ""},
               {"weights_gib", "GiB"}},
              {}};
  for (const ModelSpec& model : models) {
    const Mixture& mixture = mixture_of(model, question.mixture);
    const ModelFootprint footprint = make_footprint(model, mixture);
    const CacheSlope slope = cache_slope(footprint);
    table.rows.push_back({model.id, model.family, static_cast<double>(total_parameters(model)) / 1e9,
                          static_cast<double>(active_parameters(model)) / 1e9, static_cast<double>(model.layers.size()),
                          slope.growing.value(), slope.state / kMiB, static_cast<double>(model.max_context),
                          mixture_words(mixture.name, model), footprint.weights() / kGiB});
  }
  report.tables.push_back(std::move(table));
  return report;
}

}  // namespace oblea
