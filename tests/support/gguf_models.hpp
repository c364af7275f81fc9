// Small models as GGUF, and what the importer makes of them, for tests.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "io/gguf/model.hpp"
#include "support/gguf_writer.hpp"
#include "support/temporary_folder.hpp"

namespace oblea::test {

struct ReadModel {
  Result<ModelSpec> model = fail("not read");
  std::string warnings;
  std::string faults;

  const Layer& layer(std::size_t i) const { return model.value().layers.at(i); }
  const Attention& attention(std::size_t i) const { return layer(i).attention; }
  const Mlp& mlp(std::size_t i) const { return layer(i).mlp; }
};

// "key=value"
inline KeyOverride override_of(const std::string& text) {
  const std::size_t equals = text.find('=');
  return {text.substr(0, equals), text.substr(equals + 1), "--override " + text};
}

inline ReadModel read_model_of(const GgufWriter& writer, const std::vector<std::string>& overrides = {}) {
  ReadModel read;
  Diagnostics warnings;
  const TemporaryFolder folder;
  Result<GgufHeader> header = read_gguf_header(writer.write(folder.path("t.gguf")), warnings);
  if (!header) throw std::runtime_error(print_diagnostics(header.error()));
  std::vector<GgufHeader> headers;
  headers.push_back(std::move(*header));
  std::vector<KeyOverride> given;
  for (const std::string& text : overrides) given.push_back(override_of(text));
  read.model = make_gguf_model(headers, given, warnings);
  read.warnings = print_diagnostics(warnings);
  if (!read.model) read.faults = print_diagnostics(read.model.error());
  return read;
}

// The keys that every decoder has: 2 layers, hidden 64, 4 heads, feed-forward 128, context 4096.
inline GgufWriter small_keys(const std::string& architecture = "llama") {
  GgufWriter writer(architecture);
  writer.number(".block_count", 2).number(".context_length", 4096).number(".embedding_length", 64);
  writer.number(".feed_forward_length", 128).number(".attention.head_count", 4).number(".vocab_size", 100);
  return writer;
}

inline std::string block(int layer, const std::string& name) { return "blk." + std::to_string(layer) + "." + name; }

// Embedding and final norm; the embedding serves as head.
inline void add_ends(GgufWriter& writer, std::uint64_t hidden = 64, std::uint64_t vocabulary = 100) {
  writer.tensor("token_embd.weight", {hidden, vocabulary}).tensor("output_norm.weight", {hidden}, kF32);
}

inline void add_attention(GgufWriter& writer, int layer, std::uint64_t hidden, std::uint64_t q, std::uint64_t kv) {
  writer.tensor(block(layer, "attn_norm.weight"), {hidden}, kF32).tensor(block(layer, "attn_q.weight"), {hidden, q});
  writer.tensor(block(layer, "attn_k.weight"), {hidden, kv}).tensor(block(layer, "attn_v.weight"), {hidden, kv});
  writer.tensor(block(layer, "attn_output.weight"), {q, hidden});
}

inline void add_mlp(GgufWriter& writer, int layer, std::uint64_t hidden, std::uint64_t width) {
  writer.tensor(block(layer, "ffn_norm.weight"), {hidden}, kF32)
      .tensor(block(layer, "ffn_gate.weight"), {hidden, width});
  writer.tensor(block(layer, "ffn_up.weight"), {hidden, width})
      .tensor(block(layer, "ffn_down.weight"), {width, hidden});
}

inline void add_experts(GgufWriter& writer, int layer, std::uint64_t hidden, std::uint64_t width, std::uint64_t experts,
                        std::uint32_t type = kF16) {
  writer.tensor(block(layer, "ffn_gate_inp.weight"), {hidden, experts}, kF32);
  writer.tensor(block(layer, "ffn_gate_exps.weight"), {hidden, width, experts}, type);
  writer.tensor(block(layer, "ffn_up_exps.weight"), {hidden, width, experts}, type);
  writer.tensor(block(layer, "ffn_down_exps.weight"), {width, hidden, experts}, type);
}

}  // namespace oblea::test
