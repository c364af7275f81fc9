#include "io/read_profiles.hpp"

#include <algorithm>
#include <set>

#include <fmt/core.h>

#include "base/hash.hpp"
#include "base/limits.hpp"
#include "base/suggest.hpp"
#include "io/profile_parsers.hpp"
#include "io/text_file.hpp"

namespace oblea {
namespace {

const std::vector<std::string> kKinds = {
    "gpu",   "soc",          "wafer",    "cpu",        "host",        "nic",      "switch",    "cable",
    "pcie",  "interconnect", "psu",      "air_cooler", "water_block", "radiator", "pump",      "immersion_sink",
    "fluid", "nvme",         "sata_ssd", "hdd",        "nas",         "ram",      "price_list"};

bool is_one_of(const std::string& kind, std::initializer_list<const char*> kinds) {
  return std::any_of(kinds.begin(), kinds.end(), [&](const char* k) { return kind == k; });
}

// Files one profile under its id. A later profile of the same id replaces the earlier one: a user's file wins.
template <class T>
void put(std::map<std::string, T>& profiles, T profile) {
  profiles.insert_or_assign(profile.id, std::move(profile));
}

void put_prices(PriceList& prices, const PriceList& added) {
  for (const Price& price : added.prices) {
    auto same = [&](const Price& p) { return p.item == price.item && p.condition == price.condition; };
    const auto it = std::find_if(prices.prices.begin(), prices.prices.end(), same);
    if (it == prices.prices.end())
      prices.prices.push_back(price);
    else
      *it = price;
  }
  for (const Tariff& tariff : added.tariffs) {
    auto same = [&](const Tariff& t) { return t.id == tariff.id; };
    const auto it = std::find_if(prices.tariffs.begin(), prices.tariffs.end(), same);
    if (it == prices.tariffs.end())
      prices.tariffs.push_back(tariff);
    else
      *it = tariff;
  }
  prices.id = added.id;
  if (added.rates.euros_per_usd > 0) {
    prices.rates = added.rates;
    prices.rates_source = added.rates_source;
  }
  const auto by_item = [](const Price& a, const Price& b) {
    return a.item != b.item ? a.item < b.item : a.condition < b.condition;
  };
  std::stable_sort(prices.prices.begin(), prices.prices.end(), by_item);
  std::stable_sort(prices.tariffs.begin(), prices.tariffs.end(),
                   [](const Tariff& a, const Tariff& b) { return a.id < b.id; });
}

void parse_into(ProfileLibrary& library, ObjectReader& reader) {
  const std::string kind = reader.choice("kind", kKinds);
  if (is_one_of(kind, {"gpu", "soc", "wafer", "cpu"}))
    put(library.devices, parse_device(reader));
  else if (kind == "host")
    put(library.hosts, parse_host(reader));
  else if (kind == "nic")
    put(library.nics, parse_nic(reader));
  else if (kind == "switch")
    put(library.switches, parse_switch(reader));
  else if (kind == "cable")
    put(library.cables, parse_cable(reader));
  else if (kind == "interconnect")
    put(library.interconnects, parse_interconnect(reader));
  else if (kind == "pcie")
    library.pcie_links = parse_pcie_links(reader);
  else if (kind == "psu")
    put(library.psus, parse_psu(reader));
  else if (kind == "fluid")
    put(library.fluids, parse_fluid(reader));
  else if (is_one_of(kind, {"nvme", "sata_ssd", "hdd", "nas", "ram"}))
    put(library.storage, parse_storage(reader));
  else if (kind == "price_list")
    put_prices(library.prices, parse_price_list(reader));
  else if (!kind.empty())
    put(library.cooling, parse_cooling(reader));
  else
    return;  // an unknown kind is noted already; its other keys mean nothing
  reader.finish();
}

// Parses one file into the library. Faults and warnings go to `diagnostics`; the text is kept in `documents`, so that a
// reference that leads nowhere can be pointed at once everything is read.
void load_file(ProfileLibrary& library, const std::string& path, std::vector<JsonDocument>& documents,
               Diagnostics& diagnostics, std::uint64_t& hash) {
  Result<std::string> text = read_text_file(path, kMaxInputBytes);
  if (!text) {
    diagnostics.insert(diagnostics.end(), text.error().begin(), text.error().end());
    return;
  }
  hash = hash_bytes(*text, hash);
  Result<JsonDocument> document = JsonDocument::parse(std::move(*text), path);
  if (!document) {
    diagnostics.insert(diagnostics.end(), document.error().begin(), document.error().end());
    return;
  }
  documents.push_back(std::move(*document));
  ObjectReader reader(documents.back(), documents.back().root(), "profile", diagnostics);
  parse_into(library, reader);
}

const JsonValue* find_text(const JsonValue& value, const std::string& text) {
  if (value.kind == JsonValue::Kind::string && value.text == text) return &value;
  const JsonValue* found = nullptr;
  for (std::size_t i = 0; i < value.items.size() && found == nullptr; ++i) found = find_text(value.items[i], text);
  for (std::size_t i = 0; i < value.members.size() && found == nullptr; ++i) {
    if (value.members[i].key != "id") found = find_text(value.members[i].value, text);
  }
  return found;
}

// Where the profile `id` mentions `text`: in the last file of that id, which is the one that counts.
SourcePlace find_mention(const std::vector<JsonDocument>& documents, const std::string& id, const std::string& text) {
  for (auto document = documents.rbegin(); document != documents.rend(); ++document) {
    const JsonValue* own_id = document->root().find("id");
    if (own_id == nullptr || own_id->text != id) continue;
    if (const JsonValue* mention = find_text(document->root(), text)) return document->place(*mention);
  }
  return {};
}

std::vector<std::string> every_id(const ProfileLibrary& library) {
  std::vector<std::string> ids;
  const auto add = [&](const auto& profiles) {
    for (const auto& [id, profile] : profiles) ids.push_back(id);
  };
  add(library.devices);
  add(library.hosts);
  add(library.nics);
  add(library.switches);
  add(library.cables);
  add(library.interconnects);
  add(library.psus);
  add(library.cooling);
  add(library.fluids);
  add(library.storage);
  std::sort(ids.begin(), ids.end());
  return ids;
}

void check_references(const ProfileLibrary& library, const std::vector<JsonDocument>& documents,
                      Diagnostics& diagnostics) {
  const std::vector<std::string> devices = ids_of(library.devices);
  const std::vector<std::string> nics = ids_of(library.nics);
  const std::vector<std::string> ids = every_id(library);
  const auto check = [&](const std::string& owner, const std::string& owner_id, const char* role, const std::string& id,
                         const std::vector<std::string>& known) {
    if (std::binary_search(known.begin(), known.end(), id)) return;
    diagnostics.push_back({Severity::error, find_mention(documents, owner_id, id),
                           fmt::format("{} \"{}\": {} \"{}\" has no profile", owner, owner_id, role, id),
                           suggest(id, known)});
  };
  for (const auto& [id, host] : library.hosts) {
    check("host", id, "CPU", host.cpu, devices);
    if (host.soc) check("host", id, "SoC", host.soc->value, devices);
    check("host", id, "NIC", host.nic, nics);
  }
  for (const auto& [id, storage] : library.storage) {
    if (!storage.nic.empty()) check("storage", id, "NIC", storage.nic, nics);
  }
  for (const Price& price : library.prices.prices) check("price list", library.prices.id, "item", price.item, ids);
}

std::string shown_value(const JsonDocument& document, const JsonValue& value) {
  switch (value.kind) {
    case JsonValue::Kind::string:
      return value.text;
    case JsonValue::Kind::number:
      return document.text_of(value);
    case JsonValue::Kind::boolean:
      return value.boolean ? "true" : "false";
    case JsonValue::Kind::null:
      return "";
    case JsonValue::Kind::array:
      return fmt::format("[{} entries]", value.items.size());
    case JsonValue::Kind::object:
      return fmt::format("{{{} entries}}", value.members.size());
  }
  return "";
}

ProfileSheet make_sheet(const JsonDocument& document) {
  ProfileSheet sheet;
  sheet.path = document.file();
  const auto text_of = [&](const char* key) {
    const JsonValue* value = document.root().find(key);
    return value == nullptr ? std::string() : value->text;
  };
  sheet.id = text_of("id");
  sheet.kind = text_of("kind");
  sheet.name = text_of("name");
  for (const JsonMember& member : document.root().members) {
    if (is_one_of(member.key, {"$schema", "id", "kind", "name"})) continue;
    ProfileField field;
    field.key = member.key;
    const JsonValue* value = member.value.find("value");
    field.value = shown_value(document, value == nullptr ? member.value : *value);
    if (const JsonValue* source = member.value.find("source")) field.source.text = source->text;
    if (const JsonValue* date = member.value.find("date")) field.source.date = date->text;
    if (const JsonValue* confidence = member.value.find("confidence")) {
      field.source.confidence = find_confidence(confidence->text).value_or(Confidence::estimate);
    }
    sheet.fields.push_back(std::move(field));
  }
  return sheet;
}

// The timing parameters are fitted, not looked up: they have their own reader.
bool is_profile(const std::string& path) { return path.find("/timing/") == std::string::npos; }

Result<std::vector<std::string>> list_profiles(const std::string& folder) {
  Result<std::vector<std::string>> paths = list_json_files(folder);
  if (!paths) return paths;
  std::erase_if(*paths, [](const std::string& path) { return !is_profile(path); });
  if (paths->empty()) return fail(fmt::format("no profiles below \"{}\"", folder), "give the folder with --library");
  return paths;
}

}  // namespace

Result<ProfileLibrary> read_profile_library(const std::string& folder) {
  const Result<std::vector<std::string>> paths = list_profiles(folder);
  if (!paths) return fail(paths.error());
  ProfileLibrary library;
  Diagnostics diagnostics;
  std::uint64_t hash = hash_bytes("");
  std::vector<JsonDocument> documents;
  for (const std::string& path : *paths) load_file(library, path, documents, diagnostics, hash);
  if (!has_errors(diagnostics)) check_references(library, documents, diagnostics);
  if (has_errors(diagnostics)) return fail(std::move(diagnostics));
  library.content_hash = hash_text(hash);
  return library;
}

Result<bool> add_profile_file(ProfileLibrary& library, const std::string& path, Diagnostics& warnings) {
  Diagnostics diagnostics;
  ProfileLibrary extended = library;
  std::vector<JsonDocument> documents;
  std::uint64_t hash = hash_bytes(library.content_hash);
  load_file(extended, path, documents, diagnostics, hash);
  if (!has_errors(diagnostics)) check_references(extended, documents, diagnostics);
  if (has_errors(diagnostics)) return fail(std::move(diagnostics));
  warnings.insert(warnings.end(), diagnostics.begin(), diagnostics.end());
  extended.content_hash = hash_text(hash);
  library = std::move(extended);
  return true;
}

Diagnostics check_profile_file(const std::string& path, const ProfileLibrary& library) {
  ProfileLibrary extended = library;
  Diagnostics diagnostics;
  std::vector<JsonDocument> documents;
  std::uint64_t hash = 0;
  load_file(extended, path, documents, diagnostics, hash);
  if (!has_errors(diagnostics)) check_references(extended, documents, diagnostics);
  return diagnostics;
}

Result<std::vector<ProfileSheet>> read_profile_sheets(const std::string& folder) {
  const Result<std::vector<std::string>> paths = list_profiles(folder);
  if (!paths) return fail(paths.error());
  std::vector<ProfileSheet> sheets;
  Diagnostics diagnostics;
  for (const std::string& path : *paths) {
    Result<std::string> text = read_text_file(path, kMaxInputBytes);
    if (!text) return fail(text.error());
    Result<JsonDocument> document = JsonDocument::parse(std::move(*text), path);
    if (!document) return fail(document.error());
    sheets.push_back(make_sheet(*document));
  }
  return sheets;
}

}  // namespace oblea
