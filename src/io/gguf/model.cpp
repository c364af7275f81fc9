#include "io/gguf/model.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <utility>

#include <fmt/core.h>

#include "base/printable.hpp"
#include "io/gguf/attention.hpp"
#include "io/gguf/blocks.hpp"
#include "io/gguf/dimensions.hpp"
#include "io/gguf/keys.hpp"
#include "io/gguf/layer.hpp"
#include "io/gguf/plan.hpp"
#include "io/gguf/refusal.hpp"
#include "io/gguf/shards.hpp"
#include "io/gguf/types.hpp"
#include "io/gguf/weights.hpp"
#include "llm/parameters.hpp"

namespace oblea {
namespace {

constexpr double kExplained = 0.02;  // of the weights may differ from what the geometry makes of them

std::string slug(const std::string& path) {
  const std::optional<ShardName> shard = parse_shard_name(path);
  const std::string stem = std::filesystem::path(shard ? shard->stem + ".gguf" : path).stem().string();
  std::string id;
  for (const char c : cut_text(stem, 100)) {
    const auto letter = static_cast<unsigned char>(c);
    const bool plain = std::isalnum(letter) != 0 || c == '.' || c == '_';
    if (plain || (!id.empty() && id.back() != '-')) id += plain ? static_cast<char>(std::tolower(letter)) : '-';
  }
  while (!id.empty() && id.back() == '-') id.pop_back();
  return id.empty() ? "model" : id;
}

// The day the file was written; today where there is no file.
std::string date_of(const std::string& path) {
  struct stat status {};
  const std::time_t when = ::stat(path.c_str(), &status) == 0 ? status.st_mtime : std::time(nullptr);
  std::tm day{};
  ::gmtime_r(&when, &day);
  return fmt::format("{:04}-{:02}-{:02}", day.tm_year + 1900, day.tm_mon + 1, day.tm_mday);
}

std::string source_of(const std::vector<GgufHeader>& headers) {
  std::size_t tensors = 0;
  double weights = 0;
  for (const GgufHeader& header : headers) {
    tensors += header.tensors.size();
    for (const GgufTensor& tensor : header.tensors) weights += static_cast<double>(tensor.weights());
  }
  const std::string file = std::filesystem::path(headers.front().file).filename().string();
  std::string text = fmt::format("GGUF v{} header of {}", headers.front().version, file);
  if (headers.size() > 1) text += fmt::format(" and {} more shards", headers.size() - 1);
  return tensors == 0 ? text : text + fmt::format(": {:.0f} weights in {} tensors", weights, tensors);
}

// Stands before what is missing, so that the user sees that the file itself is whole.
Diagnostic describe_whole_header(GgufKeys& keys, const std::vector<GgufHeader>& headers) {
  std::size_t tensors = 0;
  for (const GgufHeader& header : headers) tensors += header.tensors.size();
  Diagnostic note;
  note.severity = Severity::warning;
  note.place.file = headers.front().file;
  note.message =
      fmt::format("the header is whole (GGUF v{}, {}, \"{}\", {} keys, {} tensors), but no plan can be made of it",
                  headers.front().version, cut_text(keys.architecture(), 40),
                  cut_text(keys.text("general.name").value_or(""), 80), headers.front().keys.size(), tensors);
  return note;
}

// Experts that lie in MXFP4 were trained in it: no quantiser turns others into it.
std::string native_format(const std::optional<StoredWeights>& stored) {
  if (!stored) return "BF16";
  FormatBytes experts;
  for (const StoredLayer& layer : stored->layers) experts += layer.experts;
  const double mxfp4 = experts.bytes[static_cast<std::size_t>(TensorFormat::mxfp4)];
  return mxfp4 > experts.total().value() / 2 ? "MXFP4" : "BF16";
}

void read_weights(GgufKeys& keys, const std::vector<GgufHeader>& headers, ModelSpec& model) {
  model.stored = sum_stored_weights(headers, model.layers);
  model.stored->label = gguf_file_type_name(
      static_cast<std::int64_t>(std::clamp(keys.plain_number("general.file_type").value_or(-1), -1.0, 1e6)));
  model.tied_embeddings = model.stored->head.empty();
  const double counted = count_read_weights(headers, model.layers);
  const double explained = static_cast<double>(total_parameters(model));
  if (std::abs(explained - counted) > kExplained * counted) {
    keys.warn(
        fmt::format("the geometry makes {:.4g} B weights, the tensors hold {:.4g} B: bytes are those of the tensors, "
                    "speed and cache follow the geometry",
                    explained / 1e9, counted / 1e9));
  }
}

// Sums of counts beyond this would leave what a double holds exactly.
void check_total(GgufKeys& keys, const ModelSpec& model) {
  constexpr double kMostWeights = 9e15;
  double weights = 2.0 * static_cast<double>(model.hidden) * static_cast<double>(model.vocabulary);
  for (const Layer& layer : model.layers) weights += static_cast<double>(layer_parameters(layer, model.hidden));
  if (weights <= kMostWeights) return;
  keys.fault(fmt::format("the geometry makes {:.3g} weights; the limit is {:.0e}", weights, kMostWeights),
             "the header is damaged, or an override is wrong");
}

ModelSpec read_geometry(GgufKeys& keys, const std::vector<GgufHeader>& headers, const GgufBlocks& blocks) {
  ModelSpec model;
  const GgufHeader& first = headers.front();
  model.id = slug(first.file);
  model.name = keys.text("general.name").value_or(model.id);
  model.family = keys.architecture();
  model.hidden = read_hidden(keys, blocks);
  model.vocabulary = read_vocabulary(keys, first, blocks);
  model.max_context = read_context(keys);
  model.source = source_of(headers);
  model.date = date_of(first.file);
  model.confidence = "datasheet";
  const int layers = count_layers(keys, blocks);
  const GgufPlan plan = read_plan(keys, layers, model.hidden, !blocks.blocks.empty());
  static const GgufBlock kNone;
  for (int i = 0; i < layers; ++i) {
    const auto index = static_cast<std::size_t>(i);
    const GgufBlock& block = index < blocks.blocks.size() ? blocks.blocks[index] : kNone;
    model.layers.push_back(read_gguf_layer(keys, plan, i, block));
  }
  if (layers == 0 && plan.heads.empty()) require_heads(keys, plan, 0);
  if (keys.faults().empty()) check_total(keys, model);
  return model;
}

}  // namespace

Result<ModelSpec> make_gguf_model(const std::vector<GgufHeader>& headers, const std::vector<KeyOverride>& overrides,
                                  Diagnostics& warnings) {
  GgufKeys keys(headers.front(), overrides);
  if (keys.architecture().empty()) {
    keys.fault("the file lacks general.architecture", "give it: --override general.architecture=llama");
    return fail(std::move(keys.faults()));
  }
  if (const std::optional<Diagnostic> refusal = refuse_other_kind(keys, headers)) return fail(Diagnostics{*refusal});
  const GgufBlocks blocks = sort_into_blocks(headers);
  ModelSpec model = read_geometry(keys, headers, blocks);
  if (!keys.faults().empty()) {
    keys.faults().insert(keys.faults().begin(), describe_whole_header(keys, headers));
    return fail(std::move(keys.faults()));
  }
  const bool has_tensors = !blocks.blocks.empty() || !blocks.others.empty();
  if (has_tensors) {
    read_weights(keys, headers, model);
  } else {
    keys.warn("the file holds no tensors: weights are reckoned from the geometry, with a head of their own",
              "choose a quantisation when you plan with it");
  }
  model.native_format = native_format(model.stored);
  keys.warn_of_unused();
  warnings.insert(warnings.end(), keys.warnings().begin(), keys.warnings().end());
  return model;
}

Result<ModelSpec> read_gguf_model(const std::string& path, const std::vector<KeyOverride>& overrides,
                                  Diagnostics& warnings) {
  const Result<std::vector<GgufHeader>> headers = read_gguf_shards(path, warnings);
  if (!headers) return fail(headers.error());
  return make_gguf_model(*headers, overrides, warnings);
}

}  // namespace oblea
