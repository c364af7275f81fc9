#include "llm/recipe.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace oblea {
namespace {

using F = TensorFormat;

// Everything in one format; the rest of the table states what differs.
Recipe uniform(const char* name, double bits, F format, const char* words) {
  const RoleRule same{format, format};
  return {.mixture = {name, bits, words},
          .base = format,
          .experts = format,
          .vectors = F::f32,
          .router = F::f32,
          .head = format,
          .embedding = format,
          .value = same,
          .grouped_value = std::nullopt,
          .down = same,
          .gate_up = same,
          .attention_output = format,
          .query_key = format,
          .eight_experts_value = F::q8_0,
          .eight_experts_output = format};
}

// llama.cpp's k-quants and legacy quants: the head in Q6_K.
Recipe quantised(const char* name, double bits, F format, const char* words) {
  Recipe r = uniform(name, bits, format, words);
  r.head = F::q6_k;
  return r;
}

// llama.cpp's recipes below 3 bits: head in Q5_K, V in Q4_K where it is small, the first FFN layers protected.
Recipe tiny(const char* name, double bits, F format, F sensitive, F embedding, F output, const char* words) {
  Recipe r = uniform(name, bits, format, words);
  r.head = F::q5_k;
  r.embedding = embedding;
  r.value = {sensitive, sensitive};
  r.grouped_value = RoleRule{F::q4_k, F::q4_k};
  r.grouped_by_experts = true;
  r.down = {format, sensitive, Where::first_eighth};
  r.attention_output = output;
  r.eight_experts_value = F::q4_k;
  r.eight_experts_output = F::q5_k;
  return r;
}

// Checkpoints as safetensors: embeddings, head, norms and router stay in bf16.
Recipe checkpoint(const char* name, double bits, F linear, F experts, const char* words) {
  Recipe r = uniform(name, bits, linear, words);
  r.gguf = false;
  r.experts = experts;
  r.vectors = r.router = r.head = r.embedding = F::bf16;
  return r;
}

Recipe with_wide_ends(Recipe r, const char* name, double bits, const char* words) {
  r.mixture = {name, bits, words};
  r.head = r.embedding = F::q8_0;
  return r;
}

void add_sixteen_and_eight_bit(std::vector<Recipe>& all) {
  all.push_back(uniform("BF16", 16, F::bf16, "every matrix bf16"));
  all.push_back(uniform("F16", 16, F::f16, "every matrix f16"));
  all.push_back(uniform("Q8_0", 8.5, F::q8_0, "every matrix Q8_0"));
  all.push_back(checkpoint("FP8", 8.05, F::fp8, F::fp8, "matrices FP8; embedding, head, router bf16"));
  all.push_back(checkpoint("INT8", 8.05, F::int8, F::int8, "matrices INT8 (W8A8); embedding, head, router bf16"));
}

void add_k_quants(std::vector<Recipe>& all) {
  all.push_back(quantised("Q6_K", 6.56, F::q6_k, "every matrix Q6_K"));
  all.push_back(quantised("Q5_1", 6.0, F::q5_1, "Q5_1, head Q6_K"));
  Recipe q5m = quantised("Q5_K_M", 5.66, F::q5_k, "Q5_K, Q6_K for V and FFN down in sensitive layers");
  q5m.value = q5m.down = {F::q5_k, F::q6_k, Where::more_bits};
  all.push_back(q5m);
  all.push_back(quantised("Q5_K_S", 5.52, F::q5_k, "Q5_K, head Q6_K"));
  all.push_back(quantised("Q5_0", 5.53, F::q5_0, "Q5_0, head Q6_K"));
  Recipe q4m = quantised("Q4_K_M", 4.82, F::q4_k, "Q4_K, Q6_K for V and FFN down in sensitive layers");
  q4m.value = q4m.down = {F::q4_k, F::q6_k, Where::more_bits};
  q4m.eight_experts_output = F::q5_k;
  all.push_back(with_wide_ends(q4m, "Q4_K_L", 4.91, "Q4_K_M with embedding and head Q8_0"));
  all.push_back(q4m);
  all.push_back(quantised("Q4_1", 5.0, F::q4_1, "Q4_1, head Q6_K"));
  Recipe q4s = quantised("Q4_K_S", 4.57, F::q4_k, "Q4_K, Q5_K for V of 4 layers and FFN down of the first eighth");
  q4s.value = {F::q4_k, F::q5_k, Where::first_four};
  q4s.down = {F::q4_k, F::q5_k, Where::first_eighth};
  q4s.eight_experts_output = F::q5_k;
  all.push_back(q4s);
  Recipe q4_0 = quantised("Q4_0", 4.55, F::q4_0, "Q4_0, Q4_1 for FFN down of the first eighth, head Q6_K");
  q4_0.down = {F::q4_0, F::q4_1, Where::first_eighth};
  all.push_back(q4_0);
  Recipe q3l = quantised("Q3_K_L", 4.2, F::q3_k, "Q3_K, Q5_K for V, attention output and FFN down");
  q3l.value = q3l.down = {F::q5_k, F::q5_k};
  q3l.attention_output = F::q5_k;
  q3l.eight_experts_output = F::q3_k;
  all.push_back(q3l);
  Recipe q3m =
      quantised("Q3_K_M", 3.89, F::q3_k, "Q3_K, Q4_K for V, attention output and FFN down, Q5_K in the first layers");
  q3m.value = {F::q4_k, F::q5_k, Where::first_two};
  q3m.down = {F::q4_k, F::q5_k, Where::first_sixteenth};
  q3m.attention_output = F::q4_k;
  q3m.eight_experts_output = F::q5_k;
  all.push_back(q3m);
  Recipe q3s = quantised("Q3_K_S", 3.5, F::q3_k, "Q3_K, head Q6_K");
  q3s.eight_experts_output = F::q5_k;
  all.push_back(q3s);
  Recipe q2 =
      quantised("Q2_K", 2.99, F::q2_k, "Q2_K, Q3_K for attention output and FFN down, Q4_K for V if it is small");
  q2.value = q2.down = {F::q3_k, F::q3_k};
  q2.grouped_value = RoleRule{F::q4_k, F::q4_k};
  q2.attention_output = F::q3_k;
  q2.eight_experts_output = F::q5_k;
  all.push_back(with_wide_ends(q2, "Q2_K_L", 3.1, "Q2_K with embedding and head Q8_0"));
  all.push_back(q2);
  Recipe q2s = quantised("Q2_K_S", 2.8, F::q2_k, "Q2_K, Q4_K for V if it is small and FFN down of the first eighth");
  q2s.grouped_value = RoleRule{F::q4_k, F::q4_k};
  q2s.down = {F::q2_k, F::q4_k, Where::first_eighth};
  all.push_back(q2s);
}

void add_i_quants(std::vector<Recipe>& all) {
  Recipe q = quantised("IQ4_NL", 4.55, F::iq4_nl, "IQ4_NL, Q5_K for V if it is small");
  q.grouped_value = RoleRule{F::q5_k, F::q5_k};
  q.eight_experts_output = F::q5_k;
  all.push_back(q);
  q = quantised("IQ4_XS", 4.3, F::iq4_xs, "IQ4_XS, Q5_K for V if it is small");
  q.grouped_value = RoleRule{F::q5_k, F::q5_k};
  q.eight_experts_output = F::q5_k;
  all.push_back(q);
  q = quantised("IQ3_M", 3.62, F::iq3_s, "IQ3_S, Q4_K for V, attention output and FFN down of the first eighth");
  q.value = {F::q4_k, F::q4_k};
  q.down = {F::iq3_s, F::q4_k, Where::first_eighth};
  q.attention_output = F::q4_k;
  q.eight_experts_output = F::q5_k;
  all.push_back(q);
  q = quantised("IQ3_S", 3.5, F::iq3_s, "IQ3_S, Q4_K for V if it is small");
  q.grouped_value = RoleRule{F::q4_k, F::q4_k};
  q.eight_experts_output = F::q5_k;
  all.push_back(q);
  q.mixture = {"IQ3_XS", 3.32, "IQ3_S, IQ3_XXS for Q, K and the middle of FFN gate and up"};
  q.query_key = F::iq3_xxs;
  q.gate_up = {F::iq3_s, F::iq3_xxs, Where::middle};
  all.push_back(q);
  q = uniform("IQ3_XXS", 3.12, F::iq3_xxs, "IQ3_XXS, IQ2_S for Q and K, IQ3_S for attention output and embedding");
  q.head = F::q5_k;
  q.embedding = q.attention_output = F::iq3_s;
  q.grouped_value = RoleRule{F::q4_k, F::q4_k};
  q.query_key = F::iq2_s;
  q.eight_experts_output = F::q5_k;
  all.push_back(q);
  all.push_back(tiny("IQ2_M", 2.73, F::iq2_s, F::iq3_s, F::iq3_s, F::iq3_s, "IQ2_S, IQ3_S where it matters"));
  all.push_back(tiny("IQ2_S", 2.52, F::iq2_xs, F::iq3_s, F::iq3_s, F::iq3_s, "IQ2_XS, IQ3_S where it matters"));
  all.push_back(tiny("IQ2_XS", 2.39, F::iq2_xs, F::q2_k, F::q2_k, F::iq2_xs, "IQ2_XS, Q2_K where it matters"));
  all.push_back(tiny("IQ2_XXS", 2.17, F::iq2_xxs, F::q2_k, F::q2_k, F::iq2_xxs, "IQ2_XXS, Q2_K where it matters"));
  all.push_back(tiny("IQ1_M", 1.9, F::iq1_m, F::q2_k, F::q2_k, F::iq2_xxs, "IQ1_M, Q2_K and IQ2_XXS where it matters"));
  all.push_back(
      tiny("IQ1_S", 1.71, F::iq1_s, F::q2_k, F::q2_k, F::iq2_xxs, "IQ1_S, Q2_K and IQ2_XXS where it matters"));
}

void add_four_bit_floats_and_ternary(std::vector<Recipe>& all) {
  all.push_back(checkpoint("NVFP4", 4.55, F::nvfp4, F::nvfp4, "matrices NVFP4; embedding, head, router bf16"));
  all.push_back(checkpoint("NVFP4_MOE", 4.55, F::bf16, F::nvfp4, "routed experts NVFP4, everything else bf16"));
  Recipe mlp = checkpoint("NVFP4_MLP", 6.8, F::bf16, F::nvfp4, "every MLP NVFP4; attention, embedding, head bf16");
  mlp.down = mlp.gate_up = {F::nvfp4, F::nvfp4};
  all.push_back(mlp);
  all.push_back(
      checkpoint("INT4_MOE", 4.55, F::bf16, F::int4_g32, "routed experts INT4 in groups of 32, the rest bf16"));
  all.push_back(checkpoint("MXFP4_BF16", 4.4, F::bf16, F::mxfp4, "routed experts MXFP4, everything else bf16"));
  all.push_back(
      checkpoint("MXFP4_FP8", 4.35, F::fp8, F::mxfp4, "routed experts MXFP4, other matrices FP8; ends, router bf16"));
  Recipe mx = uniform("MXFP4", 4.35, F::q8_0, "GGUF: routed experts MXFP4, every other matrix Q8_0");
  mx.experts = F::mxfp4;
  all.push_back(mx);
  all.push_back(
      checkpoint("INT4", 4.2, F::int4_g128, F::int4_g128, "AWQ, GPTQ: matrices INT4 in groups of 128; ends bf16"));
  Recipe tq = quantised("TQ2_0", 2.2, F::tq2_0, "ternary TQ2_0, embedding Q4_K, head Q6_K");
  tq.embedding = F::q4_k;
  all.push_back(tq);
  tq = quantised("TQ1_0", 1.8, F::tq1_0, "ternary TQ1_0, embedding Q4_K, head Q6_K");
  tq.embedding = F::q4_k;
  all.push_back(tq);
}

std::vector<Recipe> make_recipes() {
  std::vector<Recipe> all;
  add_sixteen_and_eight_bit(all);
  add_k_quants(all);
  add_i_quants(all);
  add_four_bit_floats_and_ternary(all);
  std::stable_sort(all.begin(), all.end(),
                   [](const Recipe& a, const Recipe& b) { return a.mixture.nominal_bits > b.mixture.nominal_bits; });
  return all;
}

}  // namespace

bool applies(Where where, int i, int n) {
  switch (where) {
    case Where::nowhere:
      return false;
    case Where::first_two:
      return i < 2;
    case Where::first_four:
      return i < 4;
    case Where::first_eighth:
      return i < n / 8;
    case Where::first_sixteenth:
      return i < n / 16;
    case Where::middle:
      return i >= n / 8 && i < 7 * n / 8;
    case Where::more_bits:
      return i < n / 8 || i >= 7 * n / 8 || (i - n / 8) % 3 == 2;
  }
  return false;
}

const std::vector<Recipe>& all_recipes() {
  static const std::vector<Recipe> recipes = make_recipes();
  return recipes;
}

}  // namespace oblea
