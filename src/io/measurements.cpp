#include "io/measurements.hpp"

#include "base/limits.hpp"
#include "io/fields.hpp"
#include "io/json_document.hpp"
#include "io/text_file.hpp"

namespace oblea {
namespace {

const std::vector<std::string> kEngines = {"llama.cpp", "ik_llama.cpp", "distributed-llama"};
const std::vector<std::string> kBackEnds = {"cuda", "metal", "vulkan", "rocm", "cpu"};
const std::vector<std::string> kGenerations = {"early", "current"};
const std::vector<std::string> kKinds = {"decode", "prefill"};
const std::vector<std::string> kUnits = {"tok/s", "ms/token"};
const std::vector<std::string> kCaches = {"f16", "q8_0", "q8_0 keys"};

template <class Enum>
Enum chosen(const std::vector<std::string>& names, const std::string& name) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<Enum>(i);
  }
  return static_cast<Enum>(0);
}

double kv_ratio(const std::string& cache) {
  constexpr double kQ8 = 34.0 / 64;  // 34 bytes for 32 elements against 64
  if (cache == "q8_0") return kQ8;
  return cache == "f16" ? 1.0 : (1 + kQ8) / 2;
}

EngineRun parse_run(ObjectReader& reader) {
  EngineRun run;
  run.family = chosen<EngineFamily>(kEngines, reader.choice("engine", kEngines));
  run.backend = chosen<EngineBackend>(kBackEnds, reader.choice("back_end", kBackEnds));
  run.generation = chosen<EngineGeneration>(kGenerations, reader.choice("generation", kGenerations));
  run.flash_attention = reader.boolean_or("flash_attention", true);
  run.threads = static_cast<int>(reader.integer_or("threads", 0, Range::between(0, 4096)));
  run.sockets = static_cast<int>(reader.integer_or("sockets", 1, Range::between(1, 16)));
  run.micro_batch = static_cast<int>(reader.integer_or("micro_batch", 512, Range::between(1, 1 << 20)));
  return run;
}

Measurement parse_row(ObjectReader& reader) {
  Measurement row;
  row.id = reader.text("id");
  row.source = reader.text("source");
  row.date = reader.text("date");
  row.quality = reader.choice("quality", {"A", "B", "C"});
  reader.text_or("engine_build", "");
  reader.text_or("quant", "");
  reader.text_or("metric", "");
  row.run = parse_run(reader);
  row.device = reader.text("device");
  row.model = reader.text("model");
  row.mixture = reader.text("mixture");
  row.trunk_mixture = reader.text_or("trunk_mixture", "");
  row.file_bytes = reader.quantity_or("file_size", UnitKind::bytes, 0.0);
  row.kv_bytes_per_f16 = kv_ratio(reader.choice_or("kv_cache", kCaches, "f16"));
  row.kind = chosen<PassKind>(kKinds, reader.choice("kind", kKinds));
  row.batch = reader.number_or("batch", 1, Range::positive());
  row.context = reader.number_or("context", 0);
  row.generated = reader.number_or("generated", 0);
  row.out_of_domain = reader.text_or("out_of_domain", "");
  const double value = reader.number("value", Range::positive());
  const std::string unit = reader.choice("unit", kUnits);
  if (row.kind == PassKind::prefill) row.prompt_tokens = reader.number("prompt_tokens", Range::positive());
  // An aggregate decode rate counts the tokens of every sequence, so a step takes batch / rate.
  const double tokens = row.kind == PassKind::decode ? row.batch : row.prompt_tokens;
  if (value > 0) row.seconds = unit == "tok/s" ? tokens / value : value / 1000 * tokens;
  reader.finish();
  return row;
}

}  // namespace

Result<std::vector<Measurement>> parse_measurements(std::string text, const std::string& file) {
  auto document = JsonDocument::parse(std::move(text), file);
  if (!document) return fail(document.error());
  Diagnostics diagnostics;
  std::vector<Measurement> rows;
  ObjectReader reader(*document, document->root(), "measurement file", diagnostics);
  reader.choice("format", {"oblea measurements 1"});
  reader.text_or("words", "");
  const JsonValue* list = reader.required("rows");
  if (list != nullptr && list->kind != JsonValue::Kind::array) {
    reader.fault(*list, "\"rows\" must be a list");
  } else if (list != nullptr) {
    for (const JsonValue& item : list->items) {
      ObjectReader row(*document, item, "measurement", diagnostics);
      rows.push_back(parse_row(row));
    }
  }
  reader.finish();
  if (has_errors(diagnostics)) return fail(std::move(diagnostics));
  return rows;
}

Result<std::vector<Measurement>> read_measurements(const std::string& path) {
  auto text = read_text_file(path, kMaxInputBytes);
  if (!text) return fail(text.error());
  return parse_measurements(std::move(*text), path);
}

}  // namespace oblea
