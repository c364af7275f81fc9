// Options: what the command line said, as plain data. The only file that includes the parser is options.cpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace oblea {

// A flag that sets a path of the scenario; `origin` is how the user wrote it.
struct Override {
  std::string path;
  std::string value;
  std::string origin;
};

struct Options {
  std::string command;                      // "size", "place", "profiles list", ...
  std::string input;                        // scenario, profile or measurement file; may be empty
  std::string profiles_folder;              // hardware-profiles
  std::string models_folder;                // scenarios/models
  std::vector<std::string> extra_profiles;  // --profile FILE, each replaces or adds
  std::vector<Override> overrides;
  std::string json_path;  // "-" is standard output, "" is none
  std::string csv_path;
  std::vector<std::string> fail_on;
  int show_count = 5;                           // builds printed
  std::string filter;                           // of profiles list
  bool write = false;                           // of calibrate
  bool step_by_step = false;                    // of simulate
  std::string timeline_path;                    // of simulate
  std::vector<std::string> paths;               // of import model
  std::vector<Override> key_overrides;          // of import model: keys of the file itself
  std::string mixture;                          // of import model
  double context = 0;                           // of import model: a row of the cache table besides the usual ones
  std::string out_path;                         // of import
  std::string root_folder = "/";                // of import machine; tests give a made-up tree
  std::string nvml_path = "libnvidia-ml.so.1";  // of import machine; tests give a made-up library
};

// Parsed options, or the exit code after help, version or a usage error was printed.
struct ParsedOptions {
  Options options;
  std::optional<int> exit_code;
};

ParsedOptions parse_options(int argument_count, char** arguments);

}  // namespace oblea
