#include "io/scenario_storage.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/suggest.hpp"
#include "io/scenario_sections.hpp"

namespace oblea {
namespace {

bool is_disk(StorageKind kind) {
  return kind == StorageKind::nvme || kind == StorageKind::sata_ssd || kind == StorageKind::hdd;
}

// Ids of one role, for hints.
std::vector<std::string> ids_of_role(const ProfileLibrary& library, bool nas) {
  std::vector<std::string> ids;
  for (const auto& [id, storage] : library.storage) {
    if (nas ? storage.kind == StorageKind::nas : is_disk(storage.kind)) ids.push_back(id);
  }
  return ids;
}

std::string parse_storage_id(ObjectReader& reader, const char* key, const ProfileLibrary& library, bool nas) {
  std::string id = reader.text_or(key, "");
  if (id.empty()) return id;
  const std::vector<std::string> known = ids_of_role(library, nas);
  if (std::find(known.begin(), known.end(), id) != known.end()) return id;
  const Storage* other = find(library.storage, id);
  const std::string message = other == nullptr
                                  ? fmt::format("\"{}\": no profile has the id \"{}\"", key, id)
                                  : fmt::format("\"{}\": {} is no {}", key, other->name, nas ? "NAS" : "disk");
  reader.fault(*reader.optional(key), message, reader.is_full() ? "" : suggest(id, known));
  return id;
}

}  // namespace

void parse_storage_settings(ObjectReader& root, const ProfileLibrary& library, Scenario& scenario,
                            Diagnostics& warnings) {
  std::optional<ObjectReader> section = member_object(root, "storage");
  if (!section) return;
  ObjectReader& reader = *section;
  const std::size_t faults_before = reader.diagnostics().size();
  StorageSettings storage;
  storage.nas = parse_storage_id(reader, "nas", library, true);
  storage.disk = parse_storage_id(reader, "disk", library, false);
  storage.on_disk = reader.boolean_or("on_disk", false);
  storage.mapped = reader.boolean_or("mapped", true);
  storage.in_page_cache = reader.boolean_or("page_cache", false);
  const bool sound = reader.diagnostics().size() == faults_before;
  if (sound && storage.on_disk && storage.disk.empty())
    reader.fault(*reader.optional("on_disk"), "\"on_disk\" without a \"disk\"", "such as \"disk\": \"nvme-gen4-1tb\"");
  else if (sound && storage.nas.empty() && storage.disk.empty() && !storage.in_page_cache)
    reader.fault(reader.value(), "the weights are nowhere: neither \"nas\" nor \"disk\"",
                 "such as \"nas\": \"nas-nvme-10gbe\"");
  reader.finish();
  if (scenario.wafers) {
    warnings.push_back({Severity::warning, root.document().place(reader.value()),
                        "\"storage\" is of boxes with cards: a chain of wafers starts loaded", ""});
  }
  scenario.storage = std::move(storage);
}

}  // namespace oblea
