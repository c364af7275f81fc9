#include "io/scenario_file.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/core.h>

#include "base/hash.hpp"
#include "base/limits.hpp"
#include "base/suggest.hpp"
#include "io/fields.hpp"
#include "io/import_model.hpp"
#include "io/model_file.hpp"
#include "io/model_writer.hpp"
#include "io/path_beside.hpp"
#include "io/scenario_failures.hpp"
#include "io/scenario_serving.hpp"
#include "io/scenario_storage.hpp"
#include "io/scenario_traffic.hpp"
#include "io/text_file.hpp"
#include "placement/engine_version.hpp"
#include "power/circuit.hpp"

namespace oblea {
namespace {

// What a scenario's names are looked up in.
struct Shelves {
  const ProfileLibrary& profiles;
  const std::string& models_folder;
  TraceShelf& traces;
};

template <class T>
std::size_t index_of(const std::vector<T>& list, const T& item) {
  return static_cast<std::size_t>(std::find(list.begin(), list.end(), item) - list.begin());
}

// A member object, or nothing; the reader notes unknown keys at the end of its life in `finish`.
std::optional<ObjectReader> member_object(ObjectReader& parent, std::string_view key) {
  const JsonValue* member = parent.optional(key);
  if (member == nullptr) return std::nullopt;
  return std::optional<ObjectReader>(std::in_place, parent.document(), *member, fmt::format("\"{}\"", key),
                                     parent.diagnostics());
}

// Where the entry `index` of a list stands, or the value itself where a single text takes the list's place.
const JsonValue& place_of(ObjectReader& reader, std::string_view key, std::size_t index = 0) {
  const JsonValue* at = reader.optional(key);
  if (at == nullptr) return reader.value();
  return at->kind == JsonValue::Kind::array && index < at->items.size() ? at->items[index] : *at;
}

// Notes a fault unless `id` is one of the profiles.
template <class T>
void check_id(ObjectReader& reader, std::string_view key, const std::string& id, const std::map<std::string, T>& known,
              std::size_t index = 0) {
  if (id.empty() || known.contains(id)) return;
  reader.fault(place_of(reader, key, index), fmt::format("\"{}\": no profile has the id \"{}\"", key, id),
               reader.is_full() ? "" : suggest(id, ids_of(known)));
}

std::vector<std::string> mixture_names() {
  std::vector<std::string> names;
  for (const Mixture& mixture : all_mixtures()) names.push_back(mixture.name);
  return names;
}

void check_mixture(ObjectReader& reader, std::string_view key, std::string& name, std::size_t index = 0) {
  if (const Mixture* mixture = find_mixture(name)) {
    name = mixture->name;
    return;
  }
  reader.fault(place_of(reader, key, index), fmt::format("quantisation \"{}\" is not known", name),
               reader.is_full() ? "" : suggest(name, mixture_names()));
}

// Files end in what they are; ids hold dots ("qwen2.5-7b") and no slashes.
bool is_model_path(const std::string& id) {
  if (id.find('/') != std::string::npos) return true;
  return id.ends_with(".gguf") || id.ends_with(".json") || id.ends_with(".safetensors") || id == "." || id == "..";
}

// "override": keys of the model's own file that it lacks, or has wrong.
std::vector<KeyOverride> parse_key_overrides(ObjectReader& reader) {
  std::vector<KeyOverride> overrides;
  const JsonValue* value = reader.optional("override");
  if (value == nullptr) return overrides;
  if (value->kind != JsonValue::Kind::object) {
    reader.fault(*value, "\"override\" must be an object of keys and values");
    return overrides;
  }
  for (const JsonMember& member : value->members) {
    const bool quoted = member.value.kind == JsonValue::Kind::string;
    const std::string text = quoted ? member.value.text : reader.document().text_of(member.value);
    overrides.push_back({member.key, text, fmt::format("override {} = {}", member.key, text)});
  }
  return overrides;
}

Result<ModelSpec> find_or_import(ObjectReader& reader, const Shelves& shelves, const std::string& id,
                                 const std::vector<KeyOverride>& overrides, Diagnostics& warnings) {
  if (!is_model_path(id)) {
    if (!overrides.empty()) reader.fault(*reader.optional("override"), "a model of the library takes no \"override\"");
    return find_model(shelves.models_folder, id, warnings);
  }
  return import_model(path_beside(reader, *reader.optional("id"), id), overrides, warnings);
}

constexpr double kMaxGuesses = 64;        // of a draft model, a step
constexpr double kMaxMicroBatch = 65536;  // tokens
constexpr double kMaxWidth = 1 << 20;     // of a vision tower

std::vector<std::string> kv_names() {
  std::vector<std::string> names;
  names.reserve(kKvFormatCount);
  for (int i = 0; i < kKvFormatCount; ++i) names.emplace_back(kv_format_name(static_cast<KvFormat>(i)));
  return names;
}

// The quantisation of a scenario belongs to its model: a file with weights of its own that the command line puts in
// that model's place keeps them, unless the command line names a quantisation too.
bool keeps_stored_weights(ObjectReader& reader, const ModelSpec& model) {
  const JsonValue* id = reader.optional("id");
  const JsonValue* quantisation = reader.optional("quantisation");
  if (!model.stored || id == nullptr || quantisation == nullptr) return false;
  return reader.document().place(*id).file != reader.document().place(*quantisation).file;
}

void parse_model_choice(ObjectReader& root, const Shelves& shelves, Scenario& scenario, Diagnostics& warnings) {
  auto reader = member_object(root, "model");
  if (!reader) {
    root.fault(root.value(), "scenario lacks \"model\"", "say which with --model, such as --model llama-3.3-70b");
    return;
  }
  const std::string id = reader->text("id");
  scenario.mixture = reader->text_or("quantisation", "");
  scenario.kv = find_kv_format(reader->choice_or("kv", kv_names(), "f16")).value_or(KvFormat::f16);
  if (reader->has("kv_values")) scenario.kv_values = find_kv_format(reader->choice("kv_values", kv_names()));
  const std::vector<KeyOverride> overrides = parse_key_overrides(*reader);
  reader->finish();
  if (!id.empty()) {
    Result<ModelSpec> model = find_or_import(*reader, shelves, id, overrides, warnings);
    if (model) {
      scenario.model = std::move(*model);
      if (is_model_path(id)) scenario.model_path = path_beside(*reader, *reader->optional("id"), id);
    } else {
      const JsonValue* at = reader->optional("id");
      for (const Diagnostic& d : model.error()) {
        if (d.place.line > 0 || at == nullptr)
          reader->diagnostics().push_back(d);
        else
          reader->fault(*at, d.place.file.empty() ? d.message : fmt::format("{}: {}", d.place.file, d.message), d.hint);
      }
    }
  }
  if (keeps_stored_weights(*reader, scenario.model)) scenario.mixture = kStoredMixture;
  if (!scenario.mixture.empty()) check_mixture(*reader, "quantisation", scenario.mixture);
  if (scenario.mixture == kStoredMixture && !scenario.model.stored) {
    reader->fault(place_of(*reader, "quantisation"), fmt::format("no weights of {} were read", scenario.model.name),
                  "name a quantisation, such as Q4_K_M");
  }
}

// Where the scenario names no quantisation: the format that the weights were published in where the engine runs it and
// four bits are enough, else the one that most people run.
std::string default_mixture(const ModelSpec& model, Engine engine) {
  if (model.stored) return std::string(kStoredMixture);
  const std::string& native = model.native_format;
  if (engine == Engine::wafer || engine == Engine::vllm) return find_mixture(native) != nullptr ? native : "BF16";
  return native.starts_with("MXFP4") ? "MXFP4" : "Q4_K_M";
}

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

void parse_draft(ObjectReader& root, const Shelves& shelves, Scenario& scenario, Diagnostics& warnings) {
  auto reader = member_object(root, "draft");
  if (!reader) return;
  DraftModel draft;
  const std::string id = reader->text("id");
  draft.mixture = reader->text_or("quantisation", "Q4_K_M");
  if (find_mixture(draft.mixture) == nullptr || draft.mixture == kStoredMixture) {
    reader->fault(*reader->optional("quantisation"), fmt::format("unknown quantisation \"{}\"", draft.mixture));
  }
  draft.guesses = static_cast<int>(reader->integer_or("guesses", draft.guesses, Range::between(1, kMaxGuesses)));
  if (reader->has("acceptance")) draft.acceptance = reader->number_or("acceptance", 0, Range::between(0, 1));
  reader->finish();
  if (id.empty()) return;  // noted by the reader
  Result<ModelSpec> model = find_or_import(*reader, shelves, id, {}, warnings);
  if (model) {
    draft.model = std::move(*model);
    if (reader->diagnostics().empty()) scenario.draft = std::move(draft);
  } else {
    for (const Diagnostic& d : model.error()) reader->fault(*reader->optional("id"), d.message, d.hint);
  }
}

void parse_lora(ObjectReader& root, Scenario& scenario) {
  auto reader = member_object(root, "lora");
  if (!reader) return;
  LoraAdapters lora;
  lora.count = static_cast<int>(reader->integer_or("count", 1, Range::between(1, 1024)));
  lora.rank = static_cast<int>(reader->integer_or("rank", 16, Range::between(1, 4096)));
  lora.attention_only = reader->choice_or("targets", {"all", "attention"}, "all") == "attention";
  reader->finish();
  scenario.lora = lora;
}

void parse_vision(ObjectReader& root, Scenario& scenario) {
  auto reader = member_object(root, "vision");
  if (!reader) return;
  Vision vision;
  VisionTower& tower = vision.tower;
  tower.weights = Bytes(reader->quantity_or("weights", UnitKind::bytes, 0, {}));
  tower.hidden = reader->number_or("hidden", tower.hidden, Range::between(1, kMaxWidth));
  tower.feed_forward = reader->number_or("feed_forward", tower.feed_forward, Range::between(1, kMaxWidth));
  tower.heads = reader->number_or("heads", tower.heads, Range::between(1, 4096));
  tower.patches_per_token = reader->number_or("patches_per_token", tower.patches_per_token, Range::between(1, 64));
  tower.flash_attention = reader->boolean_or("flash_attention", true);
  vision.image_tokens = reader->number_or("image_tokens", vision.image_tokens, Range::between(0, kMaxContextTokens));
  vision.on_host = reader->choice_or("encode_on", {"gpu", "cpu"}, "gpu") == "cpu";
  reader->finish();
  scenario.vision = vision;
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

// A device that is no card comes with its own host and goes into no other.
void check_is_card(ObjectReader& reader, const JsonValue& list, std::size_t index, const Device& device,
                   const Host* host) {
  const bool own = host != nullptr && host->soc && host->soc->value == device.id;
  if (device.kind == DeviceKind::gpu || own) return;
  const JsonValue& at = list.kind == JsonValue::Kind::array && index < list.items.size() ? list.items[index] : list;
  reader.fault(at, fmt::format("{} is no card: it does not go into a slot", device.name),
               device.kind == DeviceKind::cpu ? "the host has its own CPU" : "name the host that it comes with");
}

NodeSettings parse_node(ObjectReader& reader, const ProfileLibrary& library, std::size_t index) {
  NodeSettings node;
  node.name = reader.text_or("name", fmt::format("node{}", index + 1));
  node.host = reader.text("host");
  check_id(reader, "host", node.host, library.hosts);
  node.devices = reader.texts("devices");
  const JsonValue* list = reader.optional("devices");
  const Host* host = find(library.hosts, node.host);
  // More are refused as a whole, in parse_cluster.
  const std::size_t checked = std::min(node.devices.size(), static_cast<std::size_t>(kMaxDevices));
  for (std::size_t i = 0; i < checked; ++i) {
    const auto device = library.devices.find(node.devices[i]);
    if (device == library.devices.end()) {
      check_id(reader, "devices", node.devices[i], library.devices, i);
    } else {
      check_is_card(reader, *list, i, device->second, host);
    }
  }
  node.nic = reader.text_or("nic", "");
  check_id(reader, "nic", node.nic, library.nics);
  node.nic_ports = static_cast<int>(reader.integer_or("nic_ports", 1, Range::between(1, 16)));
  node.ram = Bytes(reader.quantity_or("ram", UnitKind::bytes, 0));
  node.psu = reader.text_or("psu", "");
  check_id(reader, "psu", node.psu, library.psus);
  node.psu_count = static_cast<int>(reader.integer_or("psu_count", 1, Range::between(1, 16)));
  if (const auto limit = reader.optional_quantity("power_limit", UnitKind::watts)) node.power_limit = Watts(*limit);
  node.pcie_lanes = static_cast<int>(reader.integer_or("pcie_lanes", 0, Range::between(0, 16)));
  node.pcie_generation = static_cast<int>(reader.integer_or("pcie_generation", 0, Range::between(0, 7)));
  reader.finish();
  return node;
}

// One box: an object where it is used, or the path of a machine file, whose text then counts as input.
NodeSettings parse_box(ObjectReader& reader, const JsonValue& box, const std::string& what,
                       const ProfileLibrary& library, std::size_t index, Scenario& scenario) {
  if (box.kind != JsonValue::Kind::string) {
    ObjectReader node(reader.document(), box, what, reader.diagnostics());
    return parse_node(node, library, index);
  }
  const std::string path = path_beside(reader, box, box.text);
  Result<std::string> text = read_text_file(path, kMaxInputBytes);
  if (!text) {
    for (const Diagnostic& fault : text.error())
      reader.fault(box, fmt::format("\"{}\": {}", path, fault.message), fault.hint);
    return {};
  }
  scenario.input_hash += *text;  // becomes part of the hash with the rest
  const Result<JsonDocument> document = JsonDocument::parse(std::move(*text), path);
  if (!document) {
    reader.diagnostics().insert(reader.diagnostics().end(), document.error().begin(), document.error().end());
    return {};
  }
  ObjectReader node(*document, document->root(), "machine", reader.diagnostics());
  return parse_node(node, library, index);
}

void parse_cluster(ObjectReader& root, const ProfileLibrary& library, Scenario& scenario) {
  auto reader = member_object(root, "cluster");
  if (!reader) return;
  if (const JsonValue* nodes = reader->required("nodes")) {
    if (nodes->kind != JsonValue::Kind::array || nodes->items.empty()) {
      reader->fault(*nodes, "\"nodes\" must be a list of at least one node");
    } else if (nodes->items.size() > static_cast<std::size_t>(kMaxNodes)) {
      reader->fault(*nodes, fmt::format("{} nodes; the limit is {}", nodes->items.size(), kMaxNodes));
    } else {
      for (std::size_t i = 0; i < nodes->items.size(); ++i) {
        scenario.cluster.nodes.push_back(
            parse_box(*reader, nodes->items[i], fmt::format("node {}", i + 1), library, i, scenario));
      }
    }
  }
  scenario.cluster.switch_id = reader->text_or("switch", "");
  check_id(*reader, "switch", scenario.cluster.switch_id, library.switches);
  scenario.cluster.rdma = reader->boolean_or("rdma", false);
  std::size_t devices = 0;
  for (const NodeSettings& node : scenario.cluster.nodes) devices += node.devices.size();
  if (devices > static_cast<std::size_t>(kMaxDevices)) {
    reader->fault(reader->value(), fmt::format("{} devices; the limit is {}", devices, kMaxDevices));
  }
  reader->finish();
}

void parse_wafers(ObjectReader& root, const ProfileLibrary& library, Scenario& scenario) {
  auto reader = member_object(root, "wafers");
  if (!reader) return;
  WaferChain chain;
  chain.device = reader->text("device");
  check_id(*reader, "device", chain.device, library.devices);
  chain.layers_max =
      static_cast<int>(reader->integer_or("layers_max", chain.layers_max, Range::between(0, kMaxLayers)));
  chain.rule = reader->choice_or("rule", {"full_attention_alone", "two_everywhere", "any_order"}, chain.rule);
  reader->finish();
  scenario.wafers = chain;
  scenario.engine.kind = Engine::wafer;
}

// A part by its id that can do this work.
void check_cooling_role(ObjectReader& reader, const std::string& role, const ProfileLibrary& library) {
  const std::string id = reader.text(role);
  check_id(reader, role, id, library.cooling);
  const CoolingPart* part = find(library.cooling, id);
  if (part == nullptr) return;
  const bool sinks = part->kind == CoolingKind::immersion_sink || part->kind == CoolingKind::water_block ||
                     part->kind == CoolingKind::air_cooler;
  const bool fits = role == "sink"   ? sinks
                    : role == "pump" ? part->kind == CoolingKind::pump
                                     : part->kind == CoolingKind::radiator;
  if (!fits) reader.fault(*reader.optional(role), fmt::format("\"{}\": {} is none", role, part->name));
}

void parse_cooling_loop(ObjectReader& root, const ProfileLibrary& library, Scenario& scenario) {
  auto reader = member_object(root, "cooling");
  if (!reader) return;
  CoolingLoop loop;
  loop.sink = reader->text("sink");
  loop.radiator = reader->text("radiator");
  loop.pump = reader->text("pump");
  for (const char* key : {"sink", "radiator", "pump"}) check_cooling_role(*reader, key, library);
  loop.fluid = reader->text("fluid");
  check_id(*reader, "fluid", loop.fluid, library.fluids);
  loop.fan_rpm = reader->number_or("fan_rpm", loop.fan_rpm, Range::between(1, 10000));
  loop.radiators = reader->number_or("radiators", 1, Range::between(1, 64));
  reader->finish();
  scenario.cooling = loop;
}

void parse_site(ObjectReader& root, const ProfileLibrary& library, Scenario& scenario) {
  auto reader = member_object(root, "site");
  if (!reader) return;
  Site& site = scenario.site;
  std::vector<std::string> circuits;
  for (const Circuit& circuit : all_circuits()) circuits.emplace_back(circuit.id);
  std::vector<std::string> tariffs;
  for (const Tariff& tariff : library.prices.tariffs) tariffs.push_back(tariff.id);
  site.circuit = reader->choice_or("circuit", circuits, site.circuit);
  site.tariff = reader->choice_or("tariff", tariffs, site.tariff);
  site.busy_hours_per_day = reader->number_or("busy_hours_per_day", site.busy_hours_per_day, Range::between(0, 24));
  site.room = Celsius(reader->quantity_or("room", UnitKind::celsius, site.room.value(), Range::between(-40, 60)));
  site.currency = reader->choice_or("currency", {"EUR", "USD"}, "EUR") == "USD" ? Currency::usd : Currency::eur;
  reader->finish();
}

void parse_budget(ObjectReader& reader, SizeWishes& size) {
  const JsonValue* budget = reader.optional("budget");
  if (budget == nullptr) return;
  if (budget->kind != JsonValue::Kind::string) {
    reader.fault(*budget,
                 fmt::format("\"budget\" must be an amount with its currency, not {}", kind_name(budget->kind)),
                 "such as \"3500 EUR\"");
    return;
  }
  const ParsedMoney parsed = parse_money(budget->text);
  if (!parsed.error.message.empty()) {
    reader.fault(*budget, "\"budget\": " + parsed.error.message, parsed.error.hint);
  } else if (parsed.money.amount <= 0) {
    reader.fault(*budget, fmt::format("\"budget\" is {}; it must be greater than 0", budget->text));
  }
  size.budget = parsed.money;
}

// The box that is already there.
void parse_have(ObjectReader& reader, const ProfileLibrary& library, Scenario& scenario) {
  const JsonValue* have = reader.optional("have");
  if (have == nullptr) return;
  scenario.size.have = parse_box(reader, *have, "\"have\"", library, 0, scenario);
}

void parse_size(ObjectReader& root, const ProfileLibrary& library, Scenario& scenario) {
  auto reader = member_object(root, "size");
  if (!reader) return;
  SizeWishes& size = scenario.size;
  parse_budget(*reader, size);
  size.mixtures = reader->texts("quantisations");
  for (std::size_t i = 0; i < size.mixtures.size(); ++i) check_mixture(*reader, "quantisations", size.mixtures[i], i);
  size.devices = reader->texts("devices");
  for (std::size_t i = 0; i < size.devices.size(); ++i) {
    check_id(*reader, "devices", size.devices[i], library.devices, i);
  }
  size.nodes_max = static_cast<int>(reader->integer_or("nodes_max", size.nodes_max, Range::between(1, 8)));
  size.devices_max = static_cast<int>(reader->integer_or("devices_max", size.devices_max, Range::between(1, 16)));
  size.pcie_lanes_min =
      static_cast<int>(reader->integer_or("pcie_lanes_min", size.pcie_lanes_min, Range::between(1, 16)));
  size.allow_used = reader->boolean_or("allow_used", size.allow_used);
  size.allow_offload = reader->boolean_or("allow_offload", size.allow_offload);
  size.tokens_per_s_min = reader->number_or("tokens_per_s_min", size.tokens_per_s_min);
  size.first_token_max =
      Seconds(reader->quantity_or("first_token_max", UnitKind::seconds, size.first_token_max.value()));
  size.rank_by = reader->choice_or("rank_by", {"speed", "price", "watts", "value"}, size.rank_by);
  parse_have(*reader, library, scenario);
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
  const auto is_error = [](const Diagnostic& d) { return d.severity == Severity::error; };
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
