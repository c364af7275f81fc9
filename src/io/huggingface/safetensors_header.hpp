// A safetensors file's header: names, types and bytes of its tensors, without the weights.
//
// Format (huggingface/safetensors, 2022): 8 bytes little-endian length, then so much JSON: {"name": {"dtype": "BF16",
// "shape": [4096, 4096], "data_offsets": [0, 33554432]}, "__metadata__": {...}}; offsets count from the JSON's end.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace oblea {

struct SafeTensor {
  std::string name;
  std::string dtype;        // "BF16", "F8_E4M3", "U8", ...
  std::uint64_t bytes = 0;  // data_offsets' difference
};

// Reads the header only. Errors: no such file, a length past the file or kMaxSafetensorsHeaderBytes, broken JSON,
// tensors without offsets; each with file and offset. A file shorter than its tensors is a warning (an unfinished
// download).
Result<std::vector<SafeTensor>> read_safetensors_header(const std::string& path, Diagnostics& warnings);

struct SafetensorsIndex {
  std::uint64_t total_bytes = 0;    // metadata.total_size; 0 when it does not say
  std::vector<std::string> shards;  // names of files, sorted, each once
};

// model.safetensors.index.json. Names that lead out of the folder are errors.
Result<SafetensorsIndex> read_safetensors_index(const std::string& path);

}  // namespace oblea
