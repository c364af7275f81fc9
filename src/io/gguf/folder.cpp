#include <filesystem>
#include <map>

#include "io/gguf/model.hpp"
#include "io/gguf/refusal.hpp"
#include "io/gguf/shards.hpp"
#include "io/gguf/types.hpp"

namespace oblea {
namespace {

namespace fs = std::filesystem;

// What the first shard's header adds to a set; false for a tower, which is no model of its own. A file that cannot be
// read stays in the list: naming it is how the user hears what is wrong with it.
bool describe(GgufSet& set) {
  Diagnostics ignored;
  const Result<GgufHeader> header = read_gguf_header(set.path, ignored);
  if (!header) return true;
  const GgufKey* type = header->find("general.file_type");
  if (const double* number = type != nullptr ? std::get_if<double>(&type->value) : nullptr; number && *number < 1e6) {
    set.label = gguf_file_type_name(static_cast<std::int64_t>(*number));
  }
  return !is_vision_tower(*header);
}

}  // namespace

Result<std::vector<GgufSet>> list_gguf_models(const std::string& folder) {
  std::map<std::string, GgufSet> sets;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    std::error_code unreadable;
    if (it->path().extension() != ".gguf" || !it->is_regular_file(unreadable)) continue;
    const std::string path = it->path().string();
    const std::optional<ShardName> shard = parse_shard_name(path);
    const std::string first = shard ? shard->path(1) : path;
    GgufSet& set = sets[first];
    set.path = first;
    set.bytes += Bytes(static_cast<double>(it->file_size(unreadable)));
    set.shards = shard ? shard->count : 1;
  }
  if (error) {
    Diagnostic fault;
    fault.place.file = folder;
    fault.message = "cannot list: " + error.message();
    return fail(Diagnostics{fault});
  }
  std::vector<GgufSet> models;
  for (auto& [path, set] : sets) {
    if (describe(set)) models.push_back(std::move(set));
  }
  return models;
}

}  // namespace oblea
