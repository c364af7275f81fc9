// The one small door to the disk: whole files in, whole files out.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"

namespace oblea {

// The file's bytes. Errors: missing, a directory, unreadable, larger than `limit` bytes (found before reading it).
Result<std::string> read_text_file(const std::string& path, std::size_t limit);

// Old file whole or new file whole: writes beside it, syncs, renames. Errors name the path and the system's reason.
Result<bool> write_text_file(const std::string& path, const std::string& text);

// Paths of all *.json files below a folder, sorted, schemas left out.
Result<std::vector<std::string>> list_json_files(const std::string& folder);

// The day a file was last written, "2026-11-30" (UTC); "unknown" where there is none.
std::string day_written(const std::string& path);

}  // namespace oblea
