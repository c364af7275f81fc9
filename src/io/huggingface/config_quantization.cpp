#include "io/huggingface/config_quantization.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/printable.hpp"
#include "io/huggingface/config_keys.hpp"

namespace oblea {
namespace {

namespace key = config_key;

const ConfigKey kQuantization{"quantization", {"quantization_config", "compression_config", "quantization"}};

const JsonValue* at(const JsonValue& from, std::string_view path) {
  const std::vector<const JsonValue*> trail = resolve_path(from, path);
  return trail.empty() || trail.back()->kind == JsonValue::Kind::null ? nullptr : trail.back();
}

std::string text_at(const JsonValue& from, std::string_view path) {
  const JsonValue* value = at(from, path);
  return value != nullptr && value->kind == JsonValue::Kind::string ? value->text : "";
}

double number_at(const JsonValue& from, std::string_view path) {
  const JsonValue* value = at(from, path);
  return value != nullptr && value->kind == JsonValue::Kind::number ? value->number : 0;
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return c < 0x80 ? static_cast<char>(std::tolower(c)) : static_cast<char>(c); });
  return text;
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

// Which modules stay as they were.
struct Ignored {
  bool attention = false;
  bool dense_mlp = false;
};

Ignored read_ignored(const JsonValue& quantization) {
  Ignored ignored;
  for (const char* name :
       {"ignore", "modules_to_not_convert", "exclude_modules", "ignored_layers", "llm_int8_skip_modules"}) {
    const JsonValue* list = at(quantization, name);
    if (list == nullptr) continue;
    for (const JsonValue& item : list->items) {
      const bool attention = has(item.text, "self_attn") || has(item.text, "attention");
      const bool mlp = has(item.text, "mlp") && !has(item.text, "gate\"") && !has(item.text, "mlp.gate");
      ignored.attention = ignored.attention || (attention && !has(item.text, "linear_attn"));
      ignored.dense_mlp = ignored.dense_mlp || (mlp && !has(item.text, "experts"));
    }
  }
  return ignored;
}

// The first group's weights, as compressed-tensors writes them: {"num_bits": 4, "type": "float", "group_size": 16}.
const JsonValue* first_group_weights(const JsonValue& quantization) {
  const JsonValue* groups = at(quantization, "config_groups");
  if (groups == nullptr) return nullptr;
  for (const JsonMember& group : groups->members) {
    if (const JsonValue* weights = at(group.value, "weights")) return weights;
  }
  return nullptr;
}

std::string four_bit_integers(const JsonValue& quantization, double group) {
  return read_ignored(quantization).attention && group == 32 ? "INT4_MOE" : "INT4";
}

// Attention left alone and every MLP quantised, dense ones too, or the routed experts only.
std::string four_bit_floats(ConfigReader& reader, const JsonValue& quantization) {
  if (!read_ignored(quantization).attention) return "NVFP4";
  const bool experts = reader.size(key::kExperts) > 1;
  return experts ? "NVFP4_MOE" : "NVFP4_MLP";
}

std::string of_group(ConfigReader& reader, const JsonValue& quantization, const JsonValue& weights) {
  const double bits = number_at(weights, "num_bits");
  const double group = number_at(weights, "group_size");
  const bool floats = text_at(weights, "type") == "float";
  if (bits == 8) return floats ? "FP8" : "INT8";
  if (bits != 4) return "";
  if (!floats) return four_bit_integers(quantization, group);
  return group == 32 ? "MXFP4_BF16" : four_bit_floats(reader, quantization);
}

std::string of_integers(double bits) {
  if (bits == 8) return "INT8";
  return bits == 4 ? "INT4" : "";
}

// FP8 everywhere but in experts of 4 bits (DeepSeek V4).
std::string eight_bit_floats(ConfigReader& reader) {
  return lower(reader.text({"type of experts", {"expert_dtype"}})) == "fp4" ? "MXFP4_FP8" : "FP8";
}

std::string of_method(ConfigReader& reader, const JsonValue& quantization) {
  const std::string method = lower(text_at(quantization, "quant_method"));
  const std::string algorithm = lower(text_at(quantization, "quant_algo"));
  if (has(method, "mxfp4")) return "MXFP4_BF16";
  if (has(algorithm, "nvfp4") || has(method, "nvfp4")) return four_bit_floats(reader, quantization);
  if (has(algorithm, "fp8") || has(method, "fp8")) return eight_bit_floats(reader);
  if (has(algorithm, "awq") || method == "awq" || method == "gptq" || method == "auto-round" ||
      method == "intel/auto-round") {
    const double bits = number_at(quantization, "bits");
    return of_integers(bits > 0 ? bits : number_at(quantization, "w_bit"));
  }
  const JsonValue* four = at(quantization, "load_in_4bit");
  if (four != nullptr && four->boolean) return "INT4";
  const JsonValue* eight = at(quantization, "load_in_8bit");
  if (eight != nullptr && eight->boolean) return "INT8";
  if (const JsonValue* weights = first_group_weights(quantization)) return of_group(reader, quantization, *weights);
  return "";
}

std::string of_dtype(ConfigReader& reader) {
  const std::string dtype = lower(reader.text(key::kDtype));
  if (has(dtype, "float8")) return "FP8";
  return dtype == "float16" || dtype == "half" || has(dtype, "torch.float16") ? "F16" : "BF16";
}

}  // namespace

std::string read_native_format(ConfigReader& reader) {
  const JsonValue* quantization = reader.find(kQuantization);
  if (quantization == nullptr || quantization->kind != JsonValue::Kind::object || quantization->members.empty())
    return of_dtype(reader);
  std::string format = of_method(reader, *quantization);
  if (!format.empty()) return format;
  const std::string method = text_at(*quantization, "quant_method");
  reader.warn(quantization,
              fmt::format("quantisation \"{}\" is none that oblea knows; the weights are taken for 16 bits",
                          cut_text(method.empty() ? text_at(*quantization, "quant_algo") : method, 40)),
              "name the nearest format in the scenario's model, or import the safetensors beside this file");
  return of_dtype(reader);
}

}  // namespace oblea
