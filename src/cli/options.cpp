#include "cli/options.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include <CLI/CLI.hpp>

#include "base/diagnostic.hpp"
#include "base/suggest.hpp"

namespace oblea {
namespace {

namespace fs = std::filesystem;

// The folder of the repository's data: $OBLEA_DATA, beside the installed binary, or where it was built.
std::string data_folder() {
  if (const char* set = std::getenv("OBLEA_DATA")) return set;
  std::error_code error;
  const fs::path binary = fs::read_symlink("/proc/self/exe", error);
  if (!error) {
    const fs::path shared = binary.parent_path().parent_path() / "share" / "oblea";
    if (fs::exists(shared / "hardware-profiles", error)) return shared.string();
  }
  return OBLEA_DATA_DIRECTORY;
}

// A flag of one command that stands for a path of the scenario.
struct SettingFlag {
  const char* flag;
  const char* path;
  const char* words;
  bool list = false;  // comma-separated: becomes a JSON list
};

const SettingFlag kQuestionFlags[] = {
    {"--model", "model.id", "model: id (see: oblea profiles list model), GGUF file, config.json or folder"},
    {"--context", "workload.context", "tokens of context each request may hold, prompt and answer (8192)"},
    {"--users", "workload.users", "requests in flight at once (1)"},
    {"--prompt", "workload.prompt", "tokens read before the first answer (half of the context)"},
    {"--kv", "model.kv", "KV cache format: f16, q8_0, q4_0, fp8"},
    {"--engine", "engine.name", "llama.cpp, vllm or distributed-llama"},
    {"--circuit", "site.circuit", "eu-16a, us-15a, us-20a, uk-13a"},
    {"--tariff", "site.tariff", "electricity tariff (see: oblea profiles show 2026-11)"},
    {"--busy-hours", "site.busy_hours_per_day", "hours a day that it answers (4)"},
};

const SettingFlag kSizeFlags[] = {
    {"--budget", "size.budget", "most that the parts may cost, such as \"3500 EUR\""},
    {"--quant", "size.quantisations", "quantisations allowed, such as Q4_K_M,Q5_K_M (four bits and better)", true},
    {"--devices", "size.devices", "only these devices, by id, such as rtx-3090,rtx-4090", true},
    {"--max-nodes", "size.nodes_max", "boxes at most (2)"},
    {"--max-devices", "size.devices_max", "cards in one box at most (8)"},
    {"--min-lanes", "size.pcie_lanes_min", "PCIe lanes that every card gets at least (4; 1 admits mining frames)"},
    {"--min-speed", "size.tokens_per_s_min", "tokens/s that every user must get at least (3)"},
    {"--max-first-token", "size.first_token_max", "longest wait for the first token (\"120 s\")"},
    {"--rank", "size.rank_by", "speed, price, watts or value"},
    {"--used", "size.allow_used", "true or false: second-hand parts"},
    {"--offload", "size.allow_offload", "true or false: layers or experts in the host's RAM"},
    {"--have", "size.have", "machine file of a box that is already there: what should be added to it?"},
};

const SettingFlag kPlaceFlags[] = {
    {"--quant", "model.quantisation", "quantisation, such as Q4_K_M, IQ2_M, MXFP4"},
    {"--split", "placement.split", "automatic, layer, tensor or offload"},
    {"--have", "cluster.nodes", "machine files in place of the scenario's nodes, such as my-box.json,other-box.json",
     true},
};

const SettingFlag kSimulateFlags[] = {
    {"--quant", "model.quantisation", "quantisation, such as Q4_K_M, IQ2_M, MXFP4"},
    {"--split", "placement.split", "automatic, layer, tensor or offload"},
    {"--arrivals", "traffic.arrivals", "closed, poisson, bursts or trace (closed: each user asks again when answered)"},
    {"--rate", "traffic.rate", "requests a second; they then come as a Poisson process unless --arrivals says else"},
    {"--requests", "traffic.requests", "requests in all (100; of a trace: all of it)"},
    {"--speed", "traffic.speed", "times the trace's own: 2 plays it twice as fast (1)"},
    {"--seed", "traffic.seed", "seed of chance (1)"},
};

std::string as_json_list(const std::string& text) {
  std::string list = "[";
  std::size_t start = 0;
  while (start <= text.size()) {
    const std::size_t end = std::min(text.find(',', start), text.size());
    std::string item = text.substr(start, end - start);
    std::string escaped;
    for (const char c : item) {
      if (c == '"' || c == '\\') escaped += '\\';
      if (static_cast<unsigned char>(c) >= 0x20) escaped += c;
    }
    list += (list.size() > 1 ? ", \"" : "\"") + escaped + "\"";
    start = end + 1;
  }
  return list + "]";
}

template <std::size_t N>
void add_setting_flags(CLI::App* command, const SettingFlag (&flags)[N], Options& options) {
  for (const SettingFlag& flag : flags) {
    const SettingFlag* setting = &flag;
    command
        ->add_option_function<std::string>(
            flag.flag,
            [&options, setting](const std::string& value) {
              const std::string json = setting->list ? as_json_list(value) : value;
              options.overrides.push_back({setting->path, json, std::string(setting->flag) + " " + value});
            },
            flag.words)
        ->type_name("");
  }
}

// A flag that may stand often, each time with NAME=VALUE.
void add_assignment_flag(CLI::App* command, const std::string& flag, const char* type, const char* words,
                         std::vector<Override>& overrides) {
  command
      ->add_option_function<std::vector<std::string>>(
          flag,
          [flag, type, &overrides](const std::vector<std::string>& settings) {
            for (const std::string& setting : settings) {
              const std::size_t equals = setting.find('=');
              if (equals == std::string::npos || equals == 0)
                throw CLI::ValidationError(flag, std::string("takes ") + type);
              std::string origin = flag;
              origin.append(" ").append(setting);
              overrides.push_back({setting.substr(0, equals), setting.substr(equals + 1), std::move(origin)});
            }
          },
          words)
      ->type_name(type);
}

void add_set_flag(CLI::App* command, Options& options) {
  add_assignment_flag(command, "--set", "PATH=VALUE", "set any path of the scenario, such as workload.users=4",
                      options.overrides);
}

void add_library_flags(CLI::App* command, Options& options) {
  command->add_option("--library", options.profiles_folder, "folder of hardware profiles")->type_name("DIR");
  command->add_option("--models", options.models_folder, "folder of model files")->type_name("DIR");
  command->add_option("--profile", options.extra_profiles, "profile or price list of your own, replaces or adds")
      ->type_name("FILE");
}

void add_figure_flags(CLI::App* command, Options& options) {
  command->add_option("--json", options.json_path, "write the report as JSON ('-': to standard output)")
      ->type_name("FILE")
      ->expected(0, 1)
      ->default_str("-");
  command->add_option("--csv", options.csv_path, "write the figures as CSV ('-': to standard output)")
      ->type_name("FILE")
      ->expected(0, 1)
      ->default_str("-");
}

void add_output_flags(CLI::App* command, Options& options) {
  add_figure_flags(command, options);
  command->add_option("--fail-on", options.fail_on, "exit 1 when the report holds this verdict, such as does-not-fit")
      ->type_name("VERDICT")
      ->delimiter(',');
}

void add_size(CLI::App& app, Options& options) {
  CLI::App* size = app.add_subcommand("size", "Which build should I buy for this model, context, users and budget?");
  size->add_option("scenario", options.input, "scenario file; flags override it")->type_name("FILE");
  add_setting_flags(size, kQuestionFlags, options);
  add_setting_flags(size, kSizeFlags, options);
  size->add_option("--show", options.show_count, "builds to print (5)")->check(CLI::Range(1, 1000));
  add_set_flag(size, options);
  add_library_flags(size, options);
  add_output_flags(size, options);
  size->footer(
      "Examples:\n"
      "  oblea size --budget \"3500 EUR\" --model llama-3.3-70b --context 8192 --users 2\n"
      "  oblea size --budget \"2000 USD\" --model qwen3-32b --quant Q4_K_M,Q5_K_M --circuit us-15a --rank price\n"
      "  oblea size --have my-box.json --budget \"1000 EUR\" --model gpt-oss-120b --json report.json");
}

void add_place(CLI::App& app, Options& options) {
  CLI::App* place =
      app.add_subcommand("place", "Which layer sits where, and how much context and concurrency is left?");
  place->add_option("scenario", options.input, "scenario file; flags override it")->type_name("FILE");
  add_setting_flags(place, kQuestionFlags, options);
  add_setting_flags(place, kPlaceFlags, options);
  add_set_flag(place, options);
  add_library_flags(place, options);
  add_output_flags(place, options);
  place->footer(
      "Examples:\n"
      "  oblea place scenarios/homelab/two-node-10gbe.json\n"
      "  oblea place scenarios/homelab/two-node-10gbe.json --quant IQ2_M --context 12000\n"
      "  oblea place --have my-box.json --model ./Qwen3-32B-Q4_K_M.gguf --context 32768\n"
      "  oblea place scenarios/wafer/kimi-k3.json --set wafers.rule=two_everywhere --fail-on does-not-fit");
}

// A trace takes the place of whatever arrivals the scenario names.
void add_trace_flag(CLI::App* simulate, Options& options) {
  simulate
      ->add_option_function<std::string>(
          "--trace",
          [&options](const std::string& path) {
            options.overrides.push_back({"traffic.trace", path, "--trace " + path});
            options.overrides.push_back({"traffic.arrivals", "trace", "--trace " + path});
          },
          "play these requests: CSV (arrival_s, prompt_tokens, output_tokens), a trace of Azure, BurstGPT or Mooncake")
      ->type_name("FILE");
}

void add_simulate(CLI::App& app, Options& options) {
  CLI::App* simulate =
      app.add_subcommand("simulate", "What do users feel: first token, tokens a second, waits, and what would help?");
  simulate->add_option("scenario", options.input, "scenario file; flags override it")->type_name("FILE");
  add_setting_flags(simulate, kQuestionFlags, options);
  add_setting_flags(simulate, kSimulateFlags, options);
  add_trace_flag(simulate, options);
  simulate->add_flag("--step-by-step", options.step_by_step, "run every pass of every stage: slow, same answer");
  simulate->add_option("--timeline", options.timeline_path, "write a trace that Perfetto opens, a lane a stage")
      ->type_name("FILE");
  add_set_flag(simulate, options);
  add_library_flags(simulate, options);
  add_output_flags(simulate, options);
  simulate->footer(
      "Examples:\n"
      "  oblea simulate scenarios/homelab/serve-four-users.json\n"
      "  oblea simulate scenarios/homelab/serve-four-users.json --rate 0.1 --requests 500 --fail-on overloaded\n"
      "  oblea simulate scenarios/homelab/serve-four-users.json --trace requests.csv --speed 2 --requests 1000\n"
      "  oblea simulate scenarios/homelab/serve-four-users.json --timeline run.json   (open it at ui.perfetto.dev)\n"
      "  oblea simulate scenarios/wafer/kimi-k3.json --users 400");
}

void add_profiles(CLI::App& app, Options& options) {
  CLI::App* profiles =
      app.add_subcommand("profiles", "What does the library hold, and where does each number come from?");
  profiles->require_subcommand(1);
  CLI::App* list = profiles->add_subcommand("list", "Every profile, or those whose kind or id holds a word");
  list->add_option("word", options.filter, "kind or part of an id: gpu, psu, 3090, model")->type_name("WORD");
  CLI::App* show =
      profiles->add_subcommand("show", "Every number of one profile with unit, source, date and confidence");
  show->add_option("id", options.input, "profile id")->type_name("ID")->required();
  CLI::App* check =
      profiles->add_subcommand("check", "What is missing or wrong in a profile file of my own, or in the library?");
  check->add_option("file", options.input, "profile, price list or model file; without it the whole library")
      ->type_name("FILE");
  for (CLI::App* command : {list, show, check}) add_library_flags(command, options);
  profiles->footer(
      "Examples:\n"
      "  oblea profiles list gpu\n"
      "  oblea profiles show rtx-3090\n"
      "  oblea profiles check my-card.json");
}

void add_calibrate(CLI::App& app, Options& options) {
  CLI::App* calibrate =
      app.add_subcommand("calibrate", "Fit the timing model to measurements and print how well it predicts");
  calibrate->add_option("measurements", options.input, "measurement file (the repository's own)")->type_name("FILE");
  calibrate->add_flag("--write", options.write, "replace the timing parameters in the library by the fitted ones");
  add_library_flags(calibrate, options);
  calibrate->footer("Example:\n  oblea calibrate tests/validation/measurements/single-device.json");
}

void add_import_model(CLI::App& import, Options& options) {
  CLI::App* model = import.add_subcommand(
      "model", "What is in this GGUF file, config.json or folder: geometry, weights, cache of a request?");
  model->add_option("path", options.paths, "GGUF file (any shard), config.json, folder; several make a table")
      ->type_name("PATH")
      ->required();
  model->add_option("--out", options.out_path, "write a model file that --model takes ('-': to standard output)")
      ->type_name("FILE");
  add_assignment_flag(model, "--override", "KEY=VALUE",
                      "give or replace a key of the file itself, such as llama.attention.head_count=32",
                      options.key_overrides);
  model->add_option("--quant", options.mixture, "quantisation to weigh (as stored, or as published)")->type_name("");
  model->add_option("--context", options.context, "a context to show besides the usual ones")
      ->type_name("")
      ->check(CLI::Range(1.0, 16.0 * 1024 * 1024));
  add_figure_flags(model, options);
  model->footer(
      "Examples:\n"
      "  oblea import model Llama-3.3-70B-Q4_K_M-00001-of-00002.gguf\n"
      "  oblea import model config.json --quant Q4_K_M --out my-model.json\n"
      "  oblea place my-cluster.json --model my-model.json   (or the GGUF file itself)");
}

void add_import_machine(CLI::App& import, Options& options) {
  CLI::App* machine =
      import.add_subcommand("machine", "What is plugged in here, and which profiles of the library is it?");
  machine->add_option("--out", options.out_path, "write a machine file that size --have and place take")
      ->type_name("FILE");
  machine->add_option("--json", options.json_path, "the machine as JSON ('-': to standard output)")
      ->type_name("FILE")
      ->expected(0, 1)
      ->default_str("-");
  add_library_flags(machine, options);
  machine->add_option("--root", options.root_folder)->group("");
  machine->add_option("--nvml", options.nvml_path)->group("");
  machine->footer(
      "Examples:\n"
      "  oblea import machine\n"
      "  oblea import machine --out my-box.json\n"
      "  oblea size --have my-box.json --budget \"1000 EUR\" --model gpt-oss-120b");
}

void add_import(CLI::App& app, Options& options) {
  CLI::App* import = app.add_subcommand("import", "Read a model from its files, or the machine that this is");
  import->require_subcommand(1);
  add_import_model(*import, options);
  add_import_machine(*import, options);
}

// The complaint about a first word that is no command, with the nearest one.
std::optional<std::string> unknown_command(const CLI::App& app, int argument_count, char** arguments) {
  if (argument_count < 2 || arguments[1][0] == '-' || arguments[1][0] == '\0') return std::nullopt;
  std::vector<std::string> known;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    known.push_back(command->get_name());
  const std::string word = arguments[1];
  if (std::find(known.begin(), known.end(), word) != known.end()) return std::nullopt;
  Diagnostic fault;
  fault.message = "\"" + word + "\" is no command";
  fault.hint = suggest(word, known);
  return print_diagnostic(fault);
}

std::string chosen_command(const CLI::App& app) {
  std::string name;
  for (const CLI::App* command = &app; !command->get_subcommands().empty();) {
    command = command->get_subcommands().front();
    name += (name.empty() ? "" : " ") + command->get_name();
  }
  return name;
}

}  // namespace

ParsedOptions parse_options(int argument_count, char** arguments) {
  ParsedOptions parsed;
  Options& options = parsed.options;
  options.profiles_folder = data_folder() + "/hardware-profiles";
  options.models_folder = data_folder() + "/scenarios/models";
  CLI::App app{"oblea sizes, places and prices clusters for LLM inference before you buy or rewire them."};
  app.name("oblea");
  app.set_version_flag("--version", "oblea " OBLEA_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Run 'oblea COMMAND --help' for examples. Exit codes: 0 answered, 1 a --fail-on verdict, 2 bad input, 3 "
      "environment.");
  add_size(app, options);
  add_place(app, options);
  add_simulate(app, options);
  add_profiles(app, options);
  add_calibrate(app, options);
  add_import(app, options);
  if (argument_count < 2) {
    std::fputs(app.help().c_str(), stderr);
    parsed.exit_code = 2;
    return parsed;
  }
  if (const auto unknown = unknown_command(app, argument_count, arguments)) {
    std::fputs(unknown->c_str(), stderr);
    parsed.exit_code = 2;
    return parsed;
  }
  try {
    app.parse(argument_count, arguments);
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error);
    parsed.exit_code = code == 0 ? 0 : 2;
    return parsed;
  }
  options.command = chosen_command(app);
  return parsed;
}

}  // namespace oblea
