#include <cstdio>
#include <filesystem>

#include "cli/commands.hpp"
#include "io/machine_file.hpp"
#include "io/read_profiles.hpp"
#include "io/text_file.hpp"
#include "probe/find_machine.hpp"
#include "study/print_machine.hpp"

namespace oblea {
namespace {

// "-" is standard output. True when all of it was written.
bool write_out(const std::string& path, const std::string& text) {
  if (path == "-") {
    const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
    return std::fflush(stdout) == 0 && written;
  }
  const Result<bool> written = write_text_file(path, text);
  if (!written) print_bad_input(written.error());
  return written.has_value();
}

// The schema as an editor finds it from beside the file.
std::string schema_path(const Options& options) {
  std::error_code error;
  const std::string path = options.profiles_folder + "/schemas/machine.schema.json";
  return std::filesystem::exists(path, error) ? std::filesystem::absolute(path, error).lexically_normal().string() : "";
}

std::string next_step(const std::string& path) {
  if (path.empty()) return "\nKeep it: oblea import machine --out my-box.json\n";
  return "\nWrote " + path + ". Next: oblea size --have " + path + " --budget \"1000 EUR\" --model gpt-oss-120b\n";
}

}  // namespace

int command_import_machine(const Options& options) {
  if (options.out_path == "-" && options.json_path == "-") {
    return print_bad_input({{Severity::error, {}, "--out and --json both name standard output", "give one a file"}});
  }
  Result<ProfileLibrary> library = read_profile_library(options.profiles_folder);
  if (!library) return print_bad_input(library.error());
  Diagnostics warnings;
  for (const std::string& path : options.extra_profiles) {
    const Result<bool> added = add_profile_file(*library, path, warnings);
    if (!added) return print_bad_input(added.error());
  }
  std::fputs(print_diagnostics(warnings).c_str(), stderr);
  const FoundMachine found = find_machine(options.root_folder, options.nvml_path);
  const MatchedMachine matched = match_machine(found, *library);
  const bool has_node = !matched.node.host.empty();
  bool written = true;
  if (!options.out_path.empty() && has_node)
    written = write_out(options.out_path, write_machine_file(matched, schema_path(options)));
  if (!options.json_path.empty())
    written = write_out(options.json_path, write_found_machine(found, matched)) && written;
  if (options.json_path != "-" && options.out_path != "-") {
    written = write_out("-", print_machine(found, matched) + (has_node ? next_step(options.out_path) : "")) && written;
  }
  if (!has_node && !options.out_path.empty()) {
    std::fputs("oblea: no host profile is like this box, so there is no machine file to write\n", stderr);
    return kEnvironmentFault;
  }
  if (!written) std::fputs("oblea: not everything could be written\n", stderr);
  return written ? 0 : kEnvironmentFault;
}

}  // namespace oblea
