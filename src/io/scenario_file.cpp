#include "io/scenario_file.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/core.h>

#include "base/hash.hpp"
#include "base/limits.hpp"
#include "io/fields.hpp"
#include "io/model_writer.hpp"
#include "io/scenario_cluster.hpp"
#include "io/scenario_failures.hpp"
#include "io/scenario_model.hpp"
#include "io/scenario_serving.hpp"
#include "io/scenario_size.hpp"
#include "io/scenario_storage.hpp"
#include "io/scenario_traffic.hpp"
#include "io/text_file.hpp"
#include "placement/engine_version.hpp"

namespace oblea {
namespace {

constexpr double kMaxMicroBatch = 65536;  // tokens

void parse_workload(ObjectReader& root, Scenario& scenario) {
  auto reader = member_object(root, "workload");
  if (!reader) return;
  const std::size_t faults_before = reader->diagnostics().size();
  Workload& workload = scenario.workload;
  workload.users = static_cast<double>(reader->integer_or("users", 1, Range::between(1, kMaxUsers)));
  const auto tokens = [&](const char* key, Tokens fallback, double low) {
    return Tokens(static_cast<double>(
        reader->integer_or(key, static_cast<std::int64_t>(fallback.value()), Range::between(low, kMaxContextTokens))));
  };
  workload.context = tokens("context", workload.context, 1);
  workload.prompt = tokens("prompt", workload.prompt, 1);
  workload.output = tokens("output", workload.output, 1);
  const bool sound = reader->diagnostics().size() == faults_before;  // else stand-ins would be compared
  if (sound && workload.prompt > workload.context) {
    reader->fault(*reader->optional("prompt"), "\"prompt\" is longer than \"context\"");
  }
  reader->finish();
  const double trained = static_cast<double>(scenario.model.max_context);
  if (trained > 0 && workload.context.value() > trained) {
    const JsonValue* at = reader->optional("context");
    reader->warning(at == nullptr ? reader->value() : *at,
                    fmt::format("context of {} tokens; {} was made for {}", workload.context.value(),
                                scenario.model.name, trained));
  }
}

void parse_engine(ObjectReader& root, Scenario& scenario) {
  auto reader = member_object(root, "engine");
  if (!reader) return;
  const std::vector<std::string> names = {"llama.cpp", "vllm", "generic", "wafer", "distributed-llama"};
  const std::string name = reader->choice_or("name", names, "llama.cpp");
  EngineSettings& engine = scenario.engine;
  engine.kind = static_cast<Engine>(index_of(names, name));
  engine.version = reader->text_or("version", "");
  if (!engine.version.empty() && !parse_engine_version(engine.version)) {
    reader->fault(*reader->optional("version"), fmt::format("\"{}\" is no version", engine.version),
                  "write a build such as b6500 or a release such as 0.10.2");
  }
  engine.micro_batch = static_cast<int>(reader->integer_or("micro_batch", 0, Range::between(0, kMaxMicroBatch)));
  engine.flash_attention = reader->boolean_or("flash_attention", true);
  engine.whole_windows = reader->boolean_or("whole_windows", false);
  engine.shared_cache = reader->boolean_or("shared_cache", false);
  engine.all_logits = reader->boolean_or("all_logits", true);
  engine.chunked_prefill = reader->boolean_or("chunked_prefill", true);
  engine.cuda_graphs = reader->boolean_or("cuda_graphs", true);
  engine.memory_fraction = reader->number_or("memory_fraction", 0.9, {.low = 0, .high = 1, .open_low = true});
  engine.sequences_max = static_cast<int>(reader->integer_or("sequences_max", 0, Range::between(0, kMaxUsers)));
  engine.block = static_cast<int>(reader->integer_or("block", 16, Range::between(1, 4096)));
  engine.windows_os = reader->choice_or("system", {"linux", "windows"}, "linux") == "windows";
  engine.reserve = Bytes(reader->quantity_or("reserve", UnitKind::bytes, 0, {}));
  // llama.cpp finds this out after it has read all weights.
  if (engine.kind == Engine::llama_cpp && !engine.flash_attention && is_quantised(scenario.cache().v)) {
    reader->fault(*reader->optional("flash_attention"),
                  fmt::format("llama.cpp keeps V in {} with flash attention only", kv_format_name(scenario.cache().v)),
                  "set flash_attention to true, or \"kv_values\": \"f16\" in \"model\"");
  }
  reader->finish();
}

void parse_split(ObjectReader& root, Scenario& scenario) {
  auto reader = member_object(root, "placement");
  if (!reader) return;
  const std::vector<std::string> names = {"automatic", "layer", "tensor", "offload"};
  scenario.split = static_cast<SplitWish>(index_of(names, reader->choice_or("split", names, "automatic")));
  const bool whole = scenario.split == SplitWish::automatic || scenario.split == SplitWish::tensor;
  if (scenario.engine.kind == Engine::distributed_llama && !whole) {
    reader->fault(*reader->optional("split"), "distributed-llama cuts every layer over all nodes",
                  "leave placement.split out, or write \"tensor\"");
  }
  reader->finish();
}

const std::vector<std::string> kRelations = {"equal", "at_least", "at_most", "about"};

// One claim, with its own settings kept for a second reading of the scenario.
struct ParsedClaim {
  Claim claim;
  std::vector<ScenarioSetting> settings;
};

ParsedClaim parse_claim(ObjectReader& reader) {
  ParsedClaim parsed;
  Claim& claim = parsed.claim;
  claim.statement = reader.text("statement");
  claim.metric = reader.text("metric");
  claim.relation = static_cast<Relation>(index_of(kRelations, reader.choice_or("relation", kRelations, "equal")));
  if (const JsonValue* value = reader.required("value")) {
    claim.boolean = value->kind == JsonValue::Kind::boolean;
    claim.value = claim.boolean ? (value->boolean ? 1 : 0) : reader.read_number(*value, "value", Range::any());
  }
  claim.tolerance = reader.number_or("tolerance", claim.tolerance, Range::between(0, 10));
  if (const JsonValue* with = reader.optional("with")) {
    if (with->kind != JsonValue::Kind::object) {
      reader.fault(*with, fmt::format("\"with\" must be an object of paths and values, not {}", kind_name(with->kind)));
    }
    for (const JsonMember& member : with->members) {
      const JsonValue& value = member.value;
      const bool quoted = value.kind == JsonValue::Kind::string;
      const std::string text = quoted ? value.text : reader.document().text_of(value);
      parsed.settings.push_back(
          {member.key, text, fmt::format("claim \"{}\": {} = {}", claim.statement, member.key, text)});
    }
  }
  reader.text_or("source", "");
  reader.finish();
  return parsed;
}

std::vector<ParsedClaim> parse_claims(ObjectReader& root) {
  std::vector<ParsedClaim> claims;
  const JsonValue* list = root.optional("claims");
  if (list == nullptr) return claims;
  if (list->kind != JsonValue::Kind::array) root.fault(*list, "\"claims\" must be a list");
  if (list->items.size() > kMaxClaims) {
    root.fault(*list, fmt::format("{} claims; the limit is {}", list->items.size(), kMaxClaims));
    return claims;
  }
  for (const JsonValue& item : list->items) {
    ObjectReader reader(root.document(), item, "claim", root.diagnostics());
    claims.push_back(parse_claim(reader));
  }
  return claims;
}

Scenario parse_scenario(ObjectReader& root, const Shelves& shelves, std::vector<ParsedClaim>& claims,
                        Diagnostics& warnings) {
  Scenario scenario;
  scenario.path = root.document().file();
  scenario.question = root.text_or("question", "");
  root.text_or("extends", "");
  parse_model_choice(root, shelves, scenario, warnings);
  parse_workload(root, scenario);
  parse_engine(root, scenario);
  parse_draft(root, shelves, scenario, warnings);
  parse_lora(root, scenario);
  parse_vision(root, scenario);
  parse_split(root, scenario);
  parse_cluster(root, shelves.profiles, scenario);
  parse_wafers(root, shelves.profiles, scenario);
  parse_cooling_loop(root, shelves.profiles, scenario);
  if (scenario.mixture.empty()) scenario.mixture = default_mixture(scenario.model, scenario.engine.kind);
  parse_site(root, shelves.profiles, scenario);
  parse_size(root, shelves.profiles, scenario);
  parse_traffic(root, scenario, shelves.traces, warnings);
  parse_slo(root, scenario);
  parse_serving(root, scenario);
  parse_failures(root, scenario);
  parse_storage_settings(root, shelves.profiles, scenario, warnings);
  claims = parse_claims(root);
  root.finish();
  const Result<std::string> model_text =
      read_text_file(shelves.models_folder + "/" + scenario.model.id + ".json", kMaxInputBytes);
  if (model_text)
    scenario.input_hash += *model_text;
  else  // read from somewhere else
    scenario.input_hash += write_model_file(scenario.model);
  scenario.input_hash = hash_text(hash_bytes(scenario.input_hash, hash_bytes(root.document().all_text())));
  return scenario;
}

// The file with everything that it extends filled in. `chain` is the way that led here, for rings.
Result<JsonDocument> load(const std::string& path, std::vector<std::string> chain) {
  std::error_code error;
  const std::string canonical = std::filesystem::weakly_canonical(path, error).string();
  const bool ring = std::find(chain.begin(), chain.end(), canonical) != chain.end();
  if (ring) return fail(fmt::format("\"{}\" extends itself, by way of {} files", path, chain.size()));
  if (chain.size() >= kMaxExtends) return fail(fmt::format("more than {} files extend each other", kMaxExtends));
  chain.push_back(canonical);
  Result<std::string> text = read_text_file(path, kMaxInputBytes);
  if (!text) return fail(text.error());
  Result<JsonDocument> document = JsonDocument::parse(std::move(*text), path);
  if (!document) return document;
  const JsonValue* extends = document->root().find("extends");
  if (extends == nullptr || extends->kind != JsonValue::Kind::string) return document;
  const std::string base_path = (std::filesystem::path(path).parent_path() / extends->text).string();
  Result<JsonDocument> base = load(base_path, chain);
  if (!base) {
    Diagnostics faults = base.error();
    for (Diagnostic& fault : faults) {
      if (fault.place.line == 0) fault.place = document->place(*extends);
    }
    return fail(std::move(faults));
  }
  document->extend(*base);
  return document;
}

// Splits what was noted: warnings to the caller's list, and true when errors remain.
bool keep_errors(Diagnostics& noted, Diagnostics& warnings) {
  const auto is_error = [](const Diagnostic& d) { return d.severity != Severity::warning; };
  const auto middle = std::stable_partition(noted.begin(), noted.end(), is_error);
  warnings.insert(warnings.end(), middle, noted.end());
  noted.erase(middle, noted.end());
  return !noted.empty();
}

// The scenario once more with a claim's settings in place of its own.
Result<Scenario> read_variant(JsonDocument document, const std::vector<ScenarioSetting>& settings,
                              const Shelves& shelves) {
  Diagnostics noted;
  for (const ScenarioSetting& setting : settings) {
    const Result<bool> set = document.set(setting.path, setting.value, setting.origin);
    if (!set) noted.insert(noted.end(), set.error().begin(), set.error().end());
  }
  Diagnostics warnings;
  std::vector<ParsedClaim> ignored;
  ObjectReader root(document, document.root(), "scenario", noted);
  Scenario scenario = parse_scenario(root, shelves, ignored, warnings);
  if (keep_errors(noted, warnings)) return fail(std::move(noted));
  return scenario;
}

}  // namespace

Result<Scenario> read_scenario(const std::string& path, const std::vector<ScenarioSetting>& settings,
                               const ProfileLibrary& library, const std::string& models_folder, Diagnostics& warnings) {
  Result<JsonDocument> document = path.empty() ? JsonDocument::parse("{}", "command line") : load(path, {});
  if (!document) return fail(document.error());
  TraceShelf traces;
  const Shelves shelves{library, models_folder, traces};
  Diagnostics noted;
  for (const ScenarioSetting& setting : settings) {
    const Result<bool> set = document->set(setting.path, setting.value, setting.origin);
    if (!set) noted.insert(noted.end(), set.error().begin(), set.error().end());
  }
  std::vector<ParsedClaim> claims;
  ObjectReader root(*document, document->root(), "scenario", noted);
  Scenario scenario = parse_scenario(root, shelves, claims, warnings);
  if (keep_errors(noted, warnings)) return fail(std::move(noted));
  for (ParsedClaim& parsed : claims) {
    if (!parsed.settings.empty()) {
      Result<Scenario> variant = read_variant(*document, parsed.settings, shelves);
      if (!variant) {
        noted.insert(noted.end(), variant.error().begin(), variant.error().end());
        continue;
      }
      parsed.claim.variant = std::make_shared<const Scenario>(std::move(*variant));
    }
    scenario.claims.push_back(std::move(parsed.claim));
  }
  if (!noted.empty()) return fail(std::move(noted));
  return scenario;
}

}  // namespace oblea
