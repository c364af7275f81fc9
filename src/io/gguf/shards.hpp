// GgufShards: the headers of all files of one model; of a set, whichever of its shards was named.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/gguf/header.hpp"

namespace oblea {

// "NAME-00002-of-00005.gguf": the set's name with its folder, shard 2 of 5.
struct ShardName {
  std::string stem;
  int number = 0;
  int count = 0;

  std::string path(int shard) const;
};

std::optional<ShardName> parse_shard_name(const std::string& path);

// In order; the first holds the keys. One header for a file that is no shard. Errors: a name and keys that disagree,
// shards that are missing (each is named), that belong to another set, or that hold a tensor twice.
Result<std::vector<GgufHeader>> read_gguf_shards(const std::string& path, Diagnostics& warnings);

}  // namespace oblea
