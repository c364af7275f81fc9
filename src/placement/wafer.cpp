#include "placement/wafer.hpp"

#include <algorithm>
#include <cmath>

#include "base/check.hpp"
#include "base/limits.hpp"

namespace oblea {
namespace {

bool grows_with_context(const LayerFootprint& layer) { return layer.kv_per_token.value() > 0 && layer.window == 0; }

// A sliding layer is charged its full window.
Bytes fixed_per_request(const LayerFootprint& layer) {
  return layer.state_per_request + layer.kv_per_token * Tokens(static_cast<double>(layer.window));
}

class Packer {
 public:
  Packer(Bytes sram, const WaferRules& rules) : sram_(sram), rules_(rules) {}

  void open() { wafers_.push_back({{}, Bytes(0), sram_, Bytes(0), BytesPerToken(0)}); }

  // Whether the layer may join the wafer: count, weights, and one request's state.
  bool takes(const Wafer& wafer, const LayerFootprint& layer) const {
    const int limit = rules_.layers_per_wafer_max;
    if (limit > 0 && static_cast<int>(wafer.layers.size()) >= limit) return false;
    if (rules_.rule != WaferRule::two_everywhere && !wafer.layers.empty() &&
        (grows_with_context(layer) || wafer.kv_per_token.value() > 0)) {
      return false;
    }
    return wafer.free - layer.weights - wafer.state_per_request - fixed_per_request(layer) >= Bytes(0);
  }

  static void add(Wafer& wafer, const LayerFootprint& layer, int index) {
    wafer.layers.push_back(index);
    wafer.weights += layer.weights;
    wafer.free -= layer.weights;
    wafer.state_per_request += fixed_per_request(layer);
    if (grows_with_context(layer)) wafer.kv_per_token += layer.kv_per_token;
  }

  // False: larger than a wafer.
  bool place(const LayerFootprint& layer, int index) {
    Wafer* home = nullptr;
    if (rules_.rule == WaferRule::any_order && !grows_with_context(layer)) {
      home = open_for_others();
    } else if (!wafers_.empty()) {
      home = &wafers_.back();
    }
    if (home == nullptr || !takes(*home, layer)) {
      open();
      home = &wafers_.back();
      if (!takes(*home, layer)) return false;
      if (!grows_with_context(layer)) others_ = wafers_.size();
    }
    add(*home, layer, index);
    return true;
  }

  std::vector<Wafer> take() { return std::move(wafers_); }

 private:
  // The wafer of the last layer without growing KV.
  Wafer* open_for_others() { return others_ == 0 ? nullptr : &wafers_[others_ - 1]; }

  Bytes sram_;
  WaferRules rules_;
  std::vector<Wafer> wafers_;
  std::size_t others_ = 0;
};

// Tokens of one wafer over all requests, beside their state and `more` bytes.
double tokens_on(const Wafer& wafer, double requests, Bytes more) {
  return (wafer.free - more - wafer.state_per_request * requests) / wafer.kv_per_token / Tokens(1);
}

// The wafer that ends the model; out of order it need not be the last opened.
std::size_t end_wafer(const WaferPlan& plan) {
  const auto end = std::max_element(plan.wafers.begin(), plan.wafers.end(),
                                    [](const Wafer& a, const Wafer& b) { return a.layers.back() < b.layers.back(); });
  return static_cast<std::size_t>(end - plan.wafers.begin());
}

Tokens tokens_with(const WaferPlan& plan, double requests, Bytes on_first, Bytes on_last) {
  double least = kMaxContextTokens;
  const std::size_t end = end_wafer(plan);
  for (std::size_t i = 0; i < plan.wafers.size(); ++i) {
    const Wafer& wafer = plan.wafers[i];
    const Bytes more = (i == 0 ? on_first : Bytes(0)) + (i == end ? on_last : Bytes(0));
    if (wafer.state_per_request * requests + more > wafer.free) return Tokens(0);
    if (wafer.kv_per_token.value() > 0) {
      least = std::min(least, std::floor(tokens_on(wafer, requests, more) / std::max(requests, 1.0)));
    }
  }
  return Tokens(least);
}

Bytes left_on(const Wafer& wafer, double requests, Tokens context) {
  return wafer.free - (wafer.state_per_request + wafer.kv_per_token * context) * requests;
}

void fill_figures(WaferPlan& plan) {
  plan.requests_max = kMaxUsers;
  double tokens = kMaxContextTokens * kMaxUsers;
  for (const Wafer& wafer : plan.wafers) {
    if (wafer.state_per_request.value() > 0) {
      plan.requests_max = std::min(plan.requests_max, std::floor(wafer.free / wafer.state_per_request));
    }
    if (wafer.kv_per_token.value() > 0) tokens = std::min(tokens, std::floor(tokens_on(wafer, 0, Bytes(0))));
  }
  plan.kv_tokens = Tokens(tokens);
}

}  // namespace

std::string_view wafer_rule_name(WaferRule rule) {
  switch (rule) {
    case WaferRule::full_attention_alone:
      return "full_attention_alone";
    case WaferRule::two_everywhere:
      return "two_everywhere";
    case WaferRule::any_order:
      return "any_order";
  }
  return "";
}

WaferPlan plan_wafers(const ModelFootprint& model, Bytes sram, const WaferRules& rules) {
  WaferPlan plan;
  plan.rules = rules;
  plan.sram = sram;
  plan.embedding = model.embedding + model.extra;
  plan.head = model.head;
  plan.tied = model.tied_embeddings;
  Packer packer(sram, rules);
  for (std::size_t i = 0; i < model.layers.size(); ++i) {
    if (packer.place(model.layers[i], static_cast<int>(i))) continue;
    plan.too_large_layer = static_cast<int>(i);
    return plan;
  }
  plan.wafers = packer.take();
  fill_figures(plan);
  return plan;
}

Tokens tokens_per_request(const WaferPlan& plan, double requests) {
  return tokens_with(plan, requests, Bytes(0), Bytes(0));
}

VocabularyPlace place_vocabulary(const WaferPlan& plan, double requests, Tokens context) {
  OBLEA_CHECK(!plan.wafers.empty(), "a plan that stands");
  VocabularyPlace place;
  place.embedding = plan.embedding;
  place.head = plan.tied && plan.wafers.size() == 1 ? Bytes(0) : plan.head;
  const std::size_t end = end_wafer(plan);
  place.embedding_on_first = place.embedding <= left_on(plan.wafers.front(), requests, context);
  Bytes last = left_on(plan.wafers[end], requests, context);
  if (end == 0 && place.embedding_on_first) last -= place.embedding;
  place.head_on_last = place.head <= last;
  Bytes outside;
  if (!place.embedding_on_first) outside += place.embedding;
  if (!place.head_on_last) outside += place.head;
  if (plan.tied && !place.embedding_on_first && !place.head_on_last) outside = plan.embedding;  // one copy serves both
  place.extra_wafers = static_cast<int>(std::ceil(outside / plan.sram));
  place.tokens_without_extra = tokens_with(plan, requests, place.embedding, place.head);
  return place;
}

}  // namespace oblea
