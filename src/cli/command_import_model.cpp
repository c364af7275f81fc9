#include <cstdio>
#include <optional>

#include <fmt/core.h>

#include "base/hash.hpp"
#include "base/printable.hpp"
#include "cli/commands.hpp"
#include "cli/inputs.hpp"
#include "io/gguf/describe_file.hpp"
#include "io/gguf/shards.hpp"
#include "io/import_model.hpp"
#include "io/model_writer.hpp"
#include "io/text_file.hpp"
#include "study/describe_model.hpp"

namespace oblea {
namespace {

// Of many files only how many: the rest would bury the table.
void print_warnings(const Diagnostics& warnings, const std::string& path, bool one_of_many) {
  if (!one_of_many)
    std::fputs(print_diagnostics(warnings).c_str(), stderr);
  else if (!warnings.empty())
    fmt::print(stderr, "{}: {} {}; import it alone to read them\n", printable(path), warnings.size(),
               warnings.size() == 1 ? "warning" : "warnings");
}

// Of what was read, not of the files: the same geometry and weights are the same input.
std::uint64_t hash_models(const std::vector<ModelSpec>& models) {
  std::uint64_t hash = hash_bytes("");
  for (const ModelSpec& model : models) hash = hash_bytes(write_model_file(model), hash);
  return hash;
}

int write_model(const ModelSpec& model, const std::string& path) {
  const std::string text = write_model_file(model);
  if (path == "-") return std::fputs(text.c_str(), stdout) >= 0 && std::fflush(stdout) == 0 ? 0 : 3;
  const Result<bool> written = write_text_file(path, text);
  if (written) return 0;
  print_bad_input(written.error());
  return kEnvironmentFault;
}

// A GGUF whose header is whole is described even where it lacks what a plan needs: that is an answer, not bad input.
std::optional<Report> describe_incomplete(const std::string& path, const Diagnostics& faults) {
  Diagnostics unused;
  const Result<std::vector<GgufHeader>> headers = read_gguf_shards(path, unused);
  if (!headers) return std::nullopt;
  return describe_gguf_file(*headers, faults);
}

}  // namespace

int command_import_model(const Options& options) {
  std::vector<KeyOverride> overrides;
  for (const Override& o : options.key_overrides) overrides.push_back({o.path, o.value, o.origin});
  std::vector<ModelSpec> models;
  Diagnostics faults;
  for (const std::string& path : options.paths) {
    Diagnostics warnings;
    Result<ModelSpec> model = import_model(path, overrides, warnings);
    print_warnings(warnings, path, options.paths.size() > 1);
    if (model)
      models.push_back(std::move(*model));
    else
      faults.insert(faults.end(), model.error().begin(), model.error().end());
  }
  if (options.paths.size() == 1 && models.empty() && options.out_path.empty()) {
    if (const std::optional<Report> incomplete = describe_incomplete(options.paths.front(), faults)) {
      return deliver(*incomplete, options);
    }
  }
  std::fputs(print_diagnostics(faults).c_str(), stderr);
  if (models.empty()) return 2;
  if (!options.out_path.empty() && options.paths.size() > 1) {
    return print_bad_input({{Severity::error, {}, "--out takes one model at a time", "name one file"}});
  }
  const DescribeQuestion question{options.mixture, Tokens(options.context)};
  Result<Report> report =
      options.paths.size() == 1 ? describe_model(models.front(), question) : compare_models(models, question);
  if (!report) return print_bad_input(report.error());
  report->input_hash = hash_text(hash_models(models));
  if (!options.out_path.empty()) {
    if (const int code = write_model(models.front(), options.out_path); code != 0) return code;
    if (options.out_path == "-") return 0;
  }
  const int code = deliver(*report, options);
  return code == 0 && !faults.empty() ? 2 : code;
}

}  // namespace oblea
