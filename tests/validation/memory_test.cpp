// Every row of measurements/memory.json predicted: within 2 % or 256 MiB of a device, and never low by more than the
// margin that a report prints. memory.md beside it is what this test prints.
#include <cmath>
#include <fstream>
#include <sstream>

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "placement/engine_memory.hpp"
#include "placement/llama_cpp_memory.hpp"
#include "study/report_rows.hpp"
#include "unit/llm/library_models.hpp"

namespace oblea {
namespace {

using Json = nlohmann::json;

const std::string kFolder = std::string(OBLEA_SOURCE_DIRECTORY) + "/tests/validation";

EngineLoad load_of(const Json& row) {
  EngineLoad load;
  load.engine.kind = row.at("engine") == "vllm" ? Engine::vllm : Engine::llama_cpp;
  load.engine.version = row.value("version", "");
  load.engine.micro_batch = row.value("micro_batch", 0);
  load.engine.flash_attention = row.value("flash_attention", true);
  load.engine.all_logits = row.value("all_logits", true);
  load.engine.chunked_prefill = row.value("chunked_prefill", true);
  load.engine.memory_fraction = row.value("memory_fraction", 0.9);
  load.engine.sequences_max = row.value("sequences_max", 0);
  load.shape = make_shape(test::library_model(row.at("model")));
  load.pipeline = row.value("pipeline", row.value("cards", 1));
  return load;
}

Bytes cache_of(const Json& row, const EngineLoad& load) {
  const ModelFootprint model = make_footprint(test::library_model(row.at("model")), *find_mixture("Q4_K_M"));
  CacheDemand demand{Tokens(row.at("context").get<double>()), 1, cache_rules(load.engine), {}};
  const LayerLoads loads(model, demand);
  return loads.kv(0, loads.layer_count(), demand.context) + loads.state(0, loads.layer_count());
}

Bytes runtime_of(const EngineLoad& load, Bytes capacity, const std::string& architecture) {
  Bytes sum;
  for (const EngineMemoryPart& part : engine_runtime({capacity, false, architecture}, load)) sum += part.bytes;
  return sum;
}

// What one measured figure should be, in MiB.
double predict(const Json& row, const std::string& figure) {
  const EngineLoad load = load_of(row);
  const Tokens context(row.at("context").get<double>());
  const EngineBuffers buffers = engine_buffers(load);
  if (figure == "compute_last_mib") return buffers.at(context, true) / kMiB;
  if (figure == "compute_middle_mib") return buffers.at(context, false) / kMiB;
  if (figure == "compute_host_mib") return llama_cpp_host_buffer(load, context) / kMiB;
  if (figure == "cache_mib") return cache_of(row, load) / kMiB;
  if (figure == "context_mib") return runtime_of(load, kGiB * 24.0, row.at("architecture")) / kMiB;
  const Bytes total = kGiB * row.at("total_gib").get<double>();
  const Bytes kept = runtime_of(load, total, "") + buffers.at(context, true);
  const Bytes weights = kGiB * row.at("weights_gib").get<double>();
  if (figure == "kv_left_gib") return (total - kept - weights) / kMiB;
  if (figure == "non_kv_gib") return (kept - total * (1 - load.engine.memory_fraction) + weights) / kMiB;
  ADD_FAILURE() << "no such figure: " << figure;
  return 0;
}

struct Judged {
  std::string engine, id, model, figure, quality;
  double measured = 0;   // MiB
  double predicted = 0;  // MiB
  double under() const { return figure == "kv_left_gib" ? predicted - measured : measured - predicted; }
};

const std::vector<Judged>& judged() {
  static const std::vector<Judged> all = [] {
    std::ifstream file(kFolder + "/measurements/memory.json");
    const Json document = Json::parse(file);
    std::vector<Judged> list;
    for (const Json& row : document.at("rows")) {
      for (const auto& [figure, value] : row.at("measured").items()) {
        const double mib = value.get<double>() * (figure.ends_with("_gib") ? 1024 : 1);
        list.push_back(
            {row.at("engine"), row.at("id"), row.at("model"), figure, row.at("quality"), mib, predict(row, figure)});
      }
    }
    return list;
  }();
  return all;
}

std::string table() {
  std::string text =
      "# Memory: predicted and measured\n\nMade by `tests/validation/memory_test.cpp` from `measurements/memory.json`, "
      "which names the source of every row. MiB of one device.\n\n"
      "| engine | row | model | figure | quality | measured | predicted | error |\n|---|---|---|---|---|---|---|---|\n";
  for (const Judged& j : judged()) {
    text += fmt::format("| {} | {} | {} | {} | {} | {:.1f} | {:.1f} | {:+.1f} |\n", j.engine, j.id, j.model, j.figure,
                        j.quality, j.measured, j.predicted, j.predicted - j.measured);
  }
  return text;
}

TEST(MemoryValidation, FortyRowsOrMoreAreJudged) { EXPECT_GE(judged().size(), 40u); }

TEST(MemoryValidation, EveryFigureIsWithinTwoPerCentOr256MiB) {
  for (const Judged& j : judged()) {
    const double allowed = std::max(256.0, 0.02 * j.measured);
    EXPECT_LE(std::abs(j.predicted - j.measured), allowed)
        << j.id << " " << j.figure << ": " << j.predicted << " for " << j.measured;
  }
}

TEST(MemoryValidation, NoFigureIsLowByMoreThanThePrintedMargin) {
  for (const Judged& j : judged()) EXPECT_LE(j.under(), kMemoryMargin / kMiB) << j.id << " " << j.figure;
}

TEST(MemoryValidation, ReservationsOfLlamaCppAreMetWithinAFewPerCent) {
  for (const Judged& j : judged()) {
    if (!j.id.starts_with("reserve-")) continue;
    EXPECT_NEAR(j.predicted, j.measured, std::max(35.0, 0.1 * j.measured)) << j.id << " " << j.model << " " << j.figure;
  }
}

TEST(MemoryValidation, TheTableIsFresh) {
  std::ifstream file(kFolder + "/memory.md");
  std::stringstream committed;
  committed << file.rdbuf();
  if (committed.str() == table()) return;
  std::ofstream("memory.new.md") << table();
  FAIL() << "tests/validation/memory.md is not what is computed now, which is in memory.new.md of the current folder";
}

}  // namespace
}  // namespace oblea
