// Every config.json in a folder of the reader's own: OBLEA_CONFIGS=folder oblea_tests --gtest_filter=ConfigFolder*
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "io/text_file.hpp"
#include "llm/footprint.hpp"
#include "validation/geometry_models.hpp"

namespace oblea {
namespace {

// A table on standard output; each file is imported, or refused with a reason, in less than 20 ms.
TEST(ConfigFolder, EveryFileImportsOrIsRefusedWithAReason) {
  const char* folder = std::getenv("OBLEA_CONFIGS");
  if (folder == nullptr) GTEST_SKIP() << "OBLEA_CONFIGS names no folder";
  const auto paths = list_json_files(folder);
  ASSERT_TRUE(paths) << print_diagnostics(paths.error());
  fmt::print("| file | family | parameters, 1e9 | extra, 1e9 | format | layers | KV at 8192, GiB | warnings |\n");
  for (const std::string& path : *paths) {
    Diagnostics warnings;
    const auto start = std::chrono::steady_clock::now();
    const Result<ModelSpec> model = read_config_model(path, {}, warnings);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    EXPECT_LT(seconds, 0.02) << path;
    const std::string name = path.substr(path.rfind('/') + 1);
    if (!model) {
      EXPECT_FALSE(model.error().front().message.empty()) << path;
      fmt::print("| {} | refused: {} |\n", name, model.error().front().message);
      continue;
    }
    const ModelFootprint footprint = make_footprint(*model, *find_mixture(model->native_format));
    fmt::print("| {} | {} | {:.3f} | {:.3f} | {} | {} | {:.3f} | {} |\n", name, model->family,
               static_cast<double>(total_parameters(*model)) / 1e9, static_cast<double>(model->extra_parameters) / 1e9,
               model->native_format, model->layers.size(), request_bytes(footprint, Tokens(8192)) / kGiB,
               warnings.size());
  }
}

}  // namespace
}  // namespace oblea
