// Model types that are not imported, and why, as data.
#include "io/huggingface/config_families.hpp"

namespace oblea {
namespace {

struct Refusal {
  std::string_view model_type;
  std::string_view reason;
};

constexpr std::string_view kEncoder = "an encoder: it reads a text once and keeps no KV cache; not a decoder";
constexpr std::string_view kEncoderDecoder =
    "an encoder and a decoder that attends to it: only decoders are modelled, and the cache of the encoder's output is "
    "not";
constexpr std::string_view kVision = "a vision or speech model on its own; there is no language model to plan for";

constexpr Refusal kRefusals[] = {
    {"bert", kEncoder},
    {"roberta", kEncoder},
    {"xlm-roberta", kEncoder},
    {"camembert", kEncoder},
    {"distilbert", kEncoder},
    {"albert", kEncoder},
    {"electra", kEncoder},
    {"deberta", kEncoder},
    {"deberta-v2", kEncoder},
    {"mpnet", kEncoder},
    {"nomic_bert", kEncoder},
    {"modernbert", kEncoder},
    {"eurobert", kEncoder},
    {"longformer", kEncoder},
    {"big_bird", kEncoder},
    {"jina_bert", kEncoder},
    {"new", kEncoder},
    {"funnel", kEncoder},
    {"xlm", kEncoder},
    {"flaubert", kEncoder},
    {"ernie", kEncoder},
    {"esm", kEncoder},
    {"t5", kEncoderDecoder},
    {"mt5", kEncoderDecoder},
    {"umt5", kEncoderDecoder},
    {"longt5", kEncoderDecoder},
    {"switch_transformers", kEncoderDecoder},
    {"t5gemma", kEncoderDecoder},
    {"bart", kEncoderDecoder},
    {"mbart", kEncoderDecoder},
    {"pegasus", kEncoderDecoder},
    {"marian", kEncoderDecoder},
    {"m2m_100", kEncoderDecoder},
    {"whisper", kEncoderDecoder},
    {"led", kEncoderDecoder},
    {"blenderbot", kEncoderDecoder},
    {"seamless_m4t", kEncoderDecoder},
    {"clip", kVision},
    {"siglip", kVision},
    {"siglip2", kVision},
    {"vit", kVision},
    {"dinov2", kVision},
    {"wav2vec2", kVision},
    {"hubert", kVision},
    {"rwkv", "RWKV's time mixing is not modelled"},
    {"rwkv5", "RWKV's time mixing is not modelled"},
    {"rwkv6", "RWKV's time mixing is not modelled"},
    {"rwkv7", "RWKV's time mixing is not modelled"},
    {"zamba", "one attention block serves many layers of Zamba, which is not modelled"},
    {"zamba2", "a few attention blocks serve many layers of Zamba 2, which is not modelled"},
    {"recurrent_gemma", "RecurrentGemma's gated linear recurrence is not modelled"},
    {"xlstm", "xLSTM's cells are not modelled"},
    {"hymba", "Hymba runs attention and Mamba on the same heads, which is not modelled"},
    {"longcat_flash", "two attentions and three MLPs in every layer are not modelled"},
    {"arctic", "experts beside a residual MLP of another width are not modelled"},
};

}  // namespace

std::string_view refusal_of(std::string_view model_type) {
  for (const Refusal& refusal : kRefusals) {
    if (refusal.model_type == model_type) return refusal.reason;
  }
  return {};
}

}  // namespace oblea
