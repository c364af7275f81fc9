#include "io/gguf/refusal.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/core.h>

#include "base/printable.hpp"
#include "units/print.hpp"

namespace oblea {
namespace {

// Architecture names that say encoder, or maker of something else than text. Source: llama.cpp (llama-arch.cpp) for the
// first two lists, stable-diffusion.cpp and city96's ComfyUI-GGUF for the third, read 2026-11.
constexpr std::array<std::string_view, 10> kEncoders{
    "bert",         "modern-bert",  "nomic-bert", "nomic-bert-moe",  "neo-bert",
    "jina-bert-v2", "jina-bert-v3", "eurobert",   "gemma-embedding", "t5encoder"};
constexpr std::array<std::string_view, 1> kSpeech{"wavtokenizer-dec"};
constexpr std::array<std::string_view, 14> kImages{"flux",   "sd1",  "sd2",   "sd3", "sdxl",       "aura",    "hidream",
                                                   "cosmos", "ltxv", "hyvid", "wan", "qwen_image", "lumina2", "pig"};

template <class List>
bool contains(const List& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

Bytes data_bytes(const std::vector<GgufHeader>& headers) {
  double bytes = 0;
  for (const GgufHeader& header : headers) {
    for (const GgufTensor& tensor : header.tensors) bytes += static_cast<double>(tensor.bytes);
  }
  return Bytes(bytes);
}

struct Refusal {
  std::string reason;
  std::string hint;
};

std::optional<Refusal> judge(GgufKeys& keys, const std::vector<GgufHeader>& headers) {
  const std::string& architecture = keys.architecture();
  const std::string type = keys.text("general.type").value_or("model");
  const std::string size = print_gb(data_bytes(headers));
  if (is_vision_tower(headers.front())) {
    return Refusal{
        "it holds the vision or sound tower of a model (mmproj), " + size + " resident beside the model's weights",
        "import the GGUF of the language model; the tower needs its bytes on the first device"};
  }
  if (type == "adapter") {
    return Refusal{"it holds a LoRA adapter, " + size + " beside the weights of its base model",
                   "import the base model"};
  }
  if (type == "imatrix") return Refusal{"it holds an importance matrix for a quantiser, not a model", ""};
  if (contains(kEncoders, architecture) || keys.truth(keys.full_name("attention.causal")) == false) {
    return Refusal{fmt::format("its architecture \"{}\" does not attend causally (an encoder of texts, or a diffusion "
                               "model): it keeps no KV cache and generates no tokens one by one",
                               cut_text(architecture, 40)),
                   fmt::format("it takes the {} of its weights and the buffers of one batch", size)};
  }
  if (architecture == "t5") {
    return Refusal{"T5 is an encoder with a decoder, whose cross-attention is not modelled", ""};
  }
  if (contains(kImages, architecture)) {
    return Refusal{
        fmt::format("\"{}\" makes images or films and is no language model; its weights are {}", architecture, size),
        ""};
  }
  if (contains(kSpeech, architecture)) {
    return Refusal{
        fmt::format("\"{}\" turns tokens into sound and is no language model; its weights are {}", architecture, size),
        ""};
  }
  return std::nullopt;
}

}  // namespace

bool is_vision_tower(const GgufHeader& header) {
  const auto says = [&](const char* key, std::string_view word) {
    const GgufKey* found = header.find(key);
    const std::string* text = found != nullptr ? std::get_if<std::string>(&found->value) : nullptr;
    return text != nullptr && *text == word;
  };
  return says("general.type", "mmproj") || says("general.architecture", "clip");
}

std::optional<Diagnostic> refuse_other_kind(GgufKeys& keys, const std::vector<GgufHeader>& headers) {
  const std::optional<Refusal> refusal = judge(keys, headers);
  if (!refusal) return std::nullopt;
  Diagnostic fault;
  fault.place.file = headers.front().file;
  fault.message = "no decoder of text: " + refusal->reason;
  fault.hint = refusal->hint;
  return fault;
}

}  // namespace oblea
