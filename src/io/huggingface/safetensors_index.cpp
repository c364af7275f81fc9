#include "io/huggingface/safetensors_index.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <string_view>

#include <fmt/core.h>

#include "base/limits.hpp"
#include "llm/footprint.hpp"
#include "llm/mixture.hpp"
#include "llm/parameters.hpp"

namespace oblea {
namespace {

namespace fs = std::filesystem;

constexpr double kTotalTolerance = 0.02;

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

void warn(Diagnostics& warnings, const std::string& file, std::string message, std::string hint = {}) {
  Diagnostic diagnostic;
  diagnostic.severity = Severity::warning;
  diagnostic.place.file = file;
  diagnostic.message = std::move(message);
  diagnostic.hint = std::move(hint);
  warnings.push_back(diagnostic);
}

// What packed integers and their scales are in checkpoints of this format.
TensorFormat packed_format(std::string_view native_format) {
  if (has(native_format, "NVFP4")) return TensorFormat::nvfp4;
  if (has(native_format, "MXFP4")) return TensorFormat::mxfp4;
  if (native_format == "INT4_MOE") return TensorFormat::int4_g32;
  if (has(native_format, "INT4")) return TensorFormat::int4_g128;
  return TensorFormat::int8;
}

TensorFormat format_of(const SafeTensor& tensor, TensorFormat packed) {
  const bool of_packed = has(tensor.name, "scale") || has(tensor.name, "qzeros") || has(tensor.name, "zero_point") ||
                         has(tensor.name, "absmax") || has(tensor.name, "quant_map");
  const bool four_bit = packed != TensorFormat::int8;
  if (four_bit && of_packed) return packed;
  if (tensor.dtype == "BF16") return TensorFormat::bf16;
  if (tensor.dtype == "F16") return TensorFormat::f16;
  if (tensor.dtype.rfind("F8_", 0) == 0) return TensorFormat::fp8;
  if (tensor.dtype == "I8" && !four_bit) return TensorFormat::int8;
  const bool integers = tensor.dtype == "U8" || tensor.dtype == "I8" || tensor.dtype == "I32" || tensor.dtype == "F4" ||
                        tensor.dtype == "U32";
  return integers ? packed : TensorFormat::f32;
}

bool is_besides(std::string_view name) {
  for (const std::string_view part : {"vision", "visual", "audio", "mm_projector", "multi_modal_projector", "image_",
                                      "patch_embed", "mtp.", "eagle", "embed_tokens_per_layer"}) {
    if (has(name, part)) return true;
  }
  return false;
}

// The number after ".layers." (Llama), ".h." (GPT-2), ".blocks." (MPT): the layer.
std::optional<std::size_t> layer_of(std::string_view name) {
  for (const std::string_view word : {"layers.", "h.", "blocks.", "block.", "layer."}) {
    for (std::size_t at = name.find(word); at != std::string_view::npos; at = name.find(word, at + 1)) {
      if (at > 0 && name[at - 1] != '.') continue;
      const std::string_view digits = name.substr(at + word.size());
      const std::size_t length = std::min(digits.find_first_not_of("0123456789"), digits.size());
      if (length == 0 || length > 6 || length == digits.size() || digits[length] != '.') continue;
      return std::stoul(std::string(digits.substr(0, length)));
    }
  }
  return std::nullopt;
}

bool is_routed_expert(std::string_view name) { return has(name, "experts.") && !has(name, "shared_expert"); }

bool is_embedding(std::string_view name) {
  for (const std::string_view part : {"embed_tokens", "wte", "word_embeddings", "tok_embeddings", "embed_in",
                                      "embeddings.weight", "embedding.weight", "embed.weight"}) {
    if (has(name, part)) return true;
  }
  return false;
}

bool is_head(std::string_view name) {
  return has(name, "lm_head") || has(name, "output_layer") || has(name, "embed_out") || name == "output.weight" ||
         name == "head.weight";
}

void add(StoredWeights& stored, const SafeTensor& tensor, TensorFormat format) {
  const auto bytes = static_cast<double>(tensor.bytes);
  if (is_besides(tensor.name)) return stored.extra.add(format, bytes);
  if (const std::optional<std::size_t> layer = layer_of(tensor.name)) {
    if (*layer >= stored.layers.size()) return stored.extra.add(format, bytes);
    StoredLayer& into = stored.layers[*layer];
    return (is_routed_expert(tensor.name) ? into.experts : into.trunk).add(format, bytes);
  }
  if (is_head(tensor.name)) return stored.head.add(format, bytes);
  if (is_embedding(tensor.name)) return stored.embedding.add(format, bytes);
  // The last norm is read with the last layer; anything else is beside the text model.
  const bool last_norm = has(tensor.name, "norm") || has(tensor.name, "ln_f");
  (last_norm && !stored.layers.empty() ? stored.layers.back().trunk : stored.extra).add(format, bytes);
}

// The files of one model: what the index names, or the one file, or all that lie there.
std::vector<std::string> safetensors_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  if (fs::is_regular_file(fs::path(folder) / "model.safetensors", error)) return {"model.safetensors"};
  for (fs::directory_iterator it(folder.empty() ? "." : folder, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    const bool merged = name.rfind("consolidated", 0) == 0;  // Mistral's second copy of the same weights
    if (it->path().extension() == ".safetensors" && !merged && names.size() < kMaxSafetensorsShards)
      names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

void check_total(const ModelSpec& model, const std::string& index, std::uint64_t total,
                 std::int64_t prediction_parameters, Diagnostics& warnings) {
  const Mixture* mixture = find_mixture(model.native_format);
  if (total == 0 || mixture == nullptr) return;
  const double bytes = make_footprint(model, *mixture).weights().value();
  const double parameters = static_cast<double>(total_parameters(model));
  const double with_prediction = bytes * (1 + static_cast<double>(prediction_parameters) / parameters);
  const double said = static_cast<double>(total);
  const double off = std::min(std::abs(bytes / said - 1), std::abs(with_prediction / said - 1));
  if (off <= kTotalTolerance) return;
  warn(warnings, index,
       fmt::format("says {:.2f} GB, the geometry in {} {:.2f} GB: {:.1f} % off", said / 1e9, mixture->name, bytes / 1e9,
                   off * 100),
       "with the safetensors beside it the bytes would be exact");
}

}  // namespace

StoredWeights sort_tensors(const std::vector<SafeTensor>& tensors, std::size_t layers,
                           const std::string& native_format) {
  StoredWeights stored;
  stored.label = native_format;
  stored.layers.resize(layers);
  const TensorFormat packed = packed_format(native_format);
  for (const SafeTensor& tensor : tensors) add(stored, tensor, format_of(tensor, packed));
  return stored;
}

void add_stored_weights(ModelSpec& model, const std::string& folder, std::int64_t prediction_parameters,
                        Diagnostics& warnings) {
  const std::string index_path = (fs::path(folder) / "model.safetensors.index.json").string();
  std::error_code error;
  std::vector<std::string> names;
  SafetensorsIndex index;
  if (fs::is_regular_file(index_path, error)) {
    Result<SafetensorsIndex> read = read_safetensors_index(index_path);
    if (!read) {
      for (const Diagnostic& fault : read.error())
        warn(warnings, fault.place.file, fault.message, "its weights are not counted; the geometry stands");
      return;
    }
    index = std::move(*read);
    names = index.shards;
  } else {
    names = safetensors_in(folder);
  }
  std::vector<SafeTensor> tensors;
  std::size_t missing = 0;
  for (const std::string& name : names) {
    const std::string path = (fs::path(folder) / name).string();
    if (!fs::is_regular_file(path, error)) {
      ++missing;
      continue;
    }
    Result<std::vector<SafeTensor>> header = read_safetensors_header(path, warnings);
    if (!header) {
      for (const Diagnostic& fault : header.error())
        warn(warnings, fault.place.file, fault.message, "its weights are not counted; the geometry stands");
      return;
    }
    tensors.insert(tensors.end(), header->begin(), header->end());
  }
  if (names.empty()) return;
  if (missing > 0) {
    if (missing < names.size())
      warn(warnings, index_path, fmt::format("{} of its {} files are not here", missing, names.size()),
           "the bytes follow from the geometry");
    return check_total(model, index_path, index.total_bytes, prediction_parameters, warnings);
  }
  model.stored = sort_tensors(tensors, model.layers.size(), model.native_format);
}

}  // namespace oblea
