#include "io/gguf/dimensions.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/limits.hpp"

namespace oblea {
namespace {

const GgufTensor* find_tensor(const GgufBlocks& blocks, std::string_view name) {
  const auto found = std::find_if(blocks.others.begin(), blocks.others.end(),
                                  [&](const GgufTensor* tensor) { return tensor->name == name; });
  return found == blocks.others.end() ? nullptr : *found;
}

}  // namespace

int count_layers(GgufKeys& keys, const GgufBlocks& blocks) {
  const auto counted = static_cast<std::int64_t>(blocks.blocks.size());
  std::int64_t layers = keys.integer("block_count").value_or(0);
  if (layers <= 0 && counted > 0) {
    keys.warn(fmt::format("the file lacks {}; its tensors are of {} layers", keys.full_name("block_count"), counted));
    layers = counted;
  }
  if (layers <= 0) keys.missing("block_count", "the number of layers", "32");
  const std::int64_t declared = layers;
  const auto predicts = [](const GgufBlock& block) { return block.has_any("nextn."); };
  const auto first = std::find_if(blocks.blocks.begin(), blocks.blocks.end(), predicts);
  const std::int64_t extra = keys.integer("nextn_predict_layers").value_or(0);
  if (first != blocks.blocks.end() && first != blocks.blocks.begin()) {
    layers = std::min<std::int64_t>(layers, first - blocks.blocks.begin());
  } else if (extra < layers && counted <= layers - extra) {
    layers -= extra;
  }
  if (counted > declared) {
    keys.warn(
        fmt::format("{} is {}, but there are tensors of {} layers; those beyond are counted as resident and not run",
                    keys.full_name("block_count"), declared, counted),
        fmt::format("if they are run: --override {}={}", keys.full_name("block_count"), counted));
  }
  if (layers <= kMaxLayers) return static_cast<int>(layers);
  keys.fault(fmt::format("{} is {}; the limit is {}", keys.full_name("block_count"), layers, kMaxLayers));
  return 0;
}

std::int64_t read_hidden(GgufKeys& keys, const GgufBlocks& blocks) {
  const GgufTensor* embedding = find_tensor(blocks, "token_embd.weight");
  const std::int64_t keyed = keys.integer("embedding_length").value_or(0);
  const std::int64_t counted = embedding != nullptr ? embedding->dims[0] : 0;
  if (keyed > 0 && counted > 0 && keyed != counted) {
    keys.warn(fmt::format("{} is {}, but token_embd.weight is {} wide: the tensor counts",
                          keys.full_name("embedding_length"), keyed, counted));
  }
  if (counted > 0) return keys.width(counted, "the width of token_embd.weight");
  if (keyed <= 0) keys.missing("embedding_length", "the width of the model", "4096");
  return keyed;
}

std::int64_t read_vocabulary(GgufKeys& keys, const GgufHeader& header, const GgufBlocks& blocks) {
  if (const GgufTensor* embedding = find_tensor(blocks, "token_embd.weight")) {
    return keys.width(embedding->dims[1], "the vocabulary of token_embd.weight");
  }
  if (const std::optional<std::int64_t> size = keys.integer("vocab_size")) return *size;
  const GgufKey* tokens = header.find("tokenizer.ggml.tokens");
  const GgufArray* array = tokens != nullptr ? std::get_if<GgufArray>(&tokens->value) : nullptr;
  if (array != nullptr) return keys.width(static_cast<std::int64_t>(array->count), "the vocabulary");
  keys.warn(fmt::format("the file lacks {} (the vocabulary): embedding and head are counted as nothing",
                        keys.full_name("vocab_size")),
            fmt::format("give it: --override {}=128256", keys.full_name("vocab_size")));
  return 0;
}

std::int64_t read_context(GgufKeys& keys) {
  const std::optional<std::int64_t> context = keys.integer("context_length");
  if (context.value_or(0) > 0) return *context;
  keys.warn(
      fmt::format("the file lacks {} (the context that the model was made for)", keys.full_name("context_length")),
      fmt::format("give it: --override {}=32768", keys.full_name("context_length")));
  return 0;
}

}  // namespace oblea
