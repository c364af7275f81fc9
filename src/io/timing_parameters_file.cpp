#include "io/timing_parameters_file.hpp"

#include <cmath>

#include <fmt/core.h>

#include "base/limits.hpp"
#include "io/fields.hpp"
#include "io/json_document.hpp"
#include "io/text_file.hpp"

namespace oblea {
namespace {

constexpr std::string_view kFormat = "oblea timing parameters 1";
constexpr std::array<std::string_view, kBandCount> kBandNames = {"decode_gpu",  "decode_unified",  "decode_cpu",
                                                                 "prefill_gpu", "prefill_unified", "prefill_cpu"};
constexpr std::array<std::string_view, kPassKindCount> kPassNames = {"decode", "prefill"};

const JsonValue* object_member(ObjectReader& reader, std::string_view key) {
  const JsonValue* member = reader.required(key);
  if (member != nullptr && member->kind == JsonValue::Kind::object) return member;
  if (member != nullptr) reader.fault(*member, fmt::format("\"{}\" must be an object", key));
  return nullptr;
}

void parse_values(ObjectReader& file, TimingParameters& parameters) {
  const JsonValue* member = object_member(file, "parameters");
  if (member == nullptr) return;
  ObjectReader values(file.document(), *member, "parameters", file.diagnostics());
  const auto& table = all_timing_parameters();
  for (std::size_t i = 0; i < table.size(); ++i) {
    const JsonValue* entry = object_member(values, table[i].name);
    if (entry == nullptr) continue;
    ObjectReader fields(file.document(), *entry, "parameter", file.diagnostics());
    parameters.values[i] = fields.number("value", Range::positive());
    fields.number_or("prior", 0);
    fields.number_or("spread", 0);
    fields.text_or("words", "");
    fields.finish();
  }
  values.finish();
}

void parse_bands(ObjectReader& file, TimingParameters& parameters) {
  const JsonValue* member = object_member(file, "bands");
  if (member == nullptr) return;
  ObjectReader bands(file.document(), *member, "bands", file.diagnostics());
  for (std::size_t i = 0; i < kBandNames.size(); ++i) {
    const JsonValue* entry = object_member(bands, kBandNames[i]);
    if (entry == nullptr) continue;
    ObjectReader fields(file.document(), *entry, "band", file.diagnostics());
    parameters.bands[i].low = fields.number("low", Range::between(-5, 0));
    parameters.bands[i].high = fields.number("high", Range::between(0, 5));
    fields.finish();
  }
  bands.finish();
}

// "families": {"decode": {"seen": ["nvidia gddr", ...], "unseen_widening": 1.5}, "prefill": ...}
void parse_families(ObjectReader& file, TimingParameters& parameters) {
  const JsonValue* member = object_member(file, "families");
  if (member == nullptr) return;
  ObjectReader kinds(file.document(), *member, "families", file.diagnostics());
  for (std::size_t i = 0; i < kPassNames.size(); ++i) {
    const JsonValue* entry = object_member(kinds, kPassNames[i]);
    if (entry == nullptr) continue;
    ObjectReader fields(file.document(), *entry, "families", file.diagnostics());
    for (const std::string& name : fields.texts("seen")) {
      const int family = find_family(name);
      if (family < 0) {
        fields.fault(*entry, fmt::format("unknown family of devices \"{}\"", name));
      } else {
        parameters.families[i].set(static_cast<std::size_t>(family));
      }
    }
    parameters.unseen_widening[i] = fields.number("unseen_widening", Range::between(1, 10));
    fields.finish();
  }
  kinds.finish();
}

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

}  // namespace

Result<TimingParameters> parse_timing_parameters(std::string text, const std::string& name) {
  auto document = JsonDocument::parse(std::move(text), name);
  if (!document) return fail(document.error());
  Diagnostics diagnostics;
  TimingParameters parameters = prior_timing_parameters();
  ObjectReader file(*document, document->root(), "parameter file", diagnostics);
  file.choice("format", {std::string(kFormat)});
  parameters.date = file.text("date");
  parameters.provenance = file.text("provenance");
  parse_values(file, parameters);
  parse_bands(file, parameters);
  parse_families(file, parameters);
  file.finish();
  if (has_errors(diagnostics)) return fail(std::move(diagnostics));
  return parameters;
}

Result<TimingParameters> read_timing_parameters(const std::string& path) {
  auto text = read_text_file(path, kMaxInputBytes);
  if (!text) return fail(text.error());
  return parse_timing_parameters(std::move(*text), path);
}

std::string print_timing_parameters(const TimingParameters& parameters) {
  std::string out = fmt::format("{{\n  \"format\": {},\n  \"date\": {},\n  \"provenance\": {},\n  \"parameters\": {{\n",
                                quoted(kFormat), quoted(parameters.date), quoted(parameters.provenance));
  const auto& table = all_timing_parameters();
  for (std::size_t i = 0; i < table.size(); ++i) {
    out += fmt::format("    {}: {{\"value\": {:.6g}, \"prior\": {:.6g}, \"spread\": {:.3g}, \"words\": {}}}{}\n",
                       quoted(table[i].name), parameters.values[i], table[i].prior, table[i].spread,
                       quoted(table[i].words), i + 1 < table.size() ? "," : "");
  }
  out += "  },\n  \"bands\": {\n";
  for (std::size_t i = 0; i < kBandNames.size(); ++i) {
    out += fmt::format("    {}: {{\"low\": {:.4f}, \"high\": {:.4f}}}{}\n", quoted(kBandNames[i]),
                       parameters.bands[i].low, parameters.bands[i].high, i + 1 < kBandNames.size() ? "," : "");
  }
  out += "  },\n  \"families\": {\n";
  for (std::size_t i = 0; i < kPassNames.size(); ++i) {
    std::string seen;
    for (int family = 0; family < kFamilyCount; ++family) {
      if (!parameters.families[i].test(static_cast<std::size_t>(family))) continue;
      seen += (seen.empty() ? "" : ", ") + quoted(family_name(family));
    }
    out += fmt::format("    {}: {{\"seen\": [{}], \"unseen_widening\": {:.4f}}}{}\n", quoted(kPassNames[i]), seen,
                       parameters.unseen_widening[i], i + 1 < kPassNames.size() ? "," : "");
  }
  return out + "  }\n}\n";
}

}  // namespace oblea
