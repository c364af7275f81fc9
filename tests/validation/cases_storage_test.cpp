// Cases of kind e-storage: cold starts that somebody timed. The ratios of E02, E04 and E06 set the band of mapped
// reading (study/loading_rates.hpp), so that they lie in it is a fit and no proof.
#include <gtest/gtest.h>

#include "study/cold_start.hpp"
#include "study/engine_start.hpp"
#include "study/loading_rates.hpp"
#include "support/repository.hpp"

namespace oblea {
namespace {

Storage disk_that_reads(double bytes_per_s) {
  Storage disk = test::repository_library().storage.at("nvme-gen4-1tb");
  disk.read = {BytesPerSecond(bytes_per_s), {"the case", "", Confidence::measured}};
  disk.mapped.reset();
  return disk;
}

void expect_mapped_seconds(double bytes, double read_s, double mapped_s) {
  const BandedRate rate = mapped_rate(disk_that_reads(bytes / read_s));
  EXPECT_LE(bytes / rate.high.value(), mapped_s);
  EXPECT_GE(bytes / rate.low.value(), mapped_s);
}

// https://github.com/sgl-project/sglang/pull/7469: Qwen3-32B in 16 bits from distributed storage, 258 s mapped, 32 s
// read. 65.5 GB in 32 s are 2.05 GB/s.
TEST(CasesStorage, E02MappingOverANetwork) {
  const double bytes = make_footprint(test::repository_model("qwen3-32b"), *find_mixture("BF16")).weights().value();
  EXPECT_NEAR(bytes / 32, 2.05e9, 0.02e9);
  expect_mapped_seconds(bytes, 32, 258);
}

// https://github.com/ggml-org/llama.cpp/issues/9244: M3 Max, 0.73 GB/s mapped, 6.4 GB/s read.
TEST(CasesStorage, E04MappedIsARateOfItsOwn) {
  const BandedRate rate = mapped_rate(disk_that_reads(6.4e9));
  EXPECT_LE(rate.low.value(), 0.73e9);
  EXPECT_GE(rate.high.value(), 0.73e9);
}

// https://github.com/ggml-org/llama.cpp/pull/27742: DGX Spark, 22 s read, 224 s mapped; any size gives the same ratio.
TEST(CasesStorage, E06MappingOnASpark) { expect_mapped_seconds(100e9, 22, 224); }

// https://github.com/tonyd2wild/DeepSeek-V4.1-Flash-vLLM-DGX-Spark/issues/11: 476 GB on the disk of each of four
// nodes, vLLM is up in 9 to 11 minutes. Every node reads the whole checkpoint, mapped: 476 / 1.5 + 60 = 377 s.
TEST(CasesStorage, E08FourNodesWithAReplicaEach) {
  const BandedRate rate = mapped_rate(test::repository_library().storage.at("nvme-gen4-2tb"));
  EngineSettings engine;
  engine.kind = Engine::vllm;
  const Banded<Seconds> start = engine_start(engine);
  EXPECT_LE(476e9 / rate.high.value() + start.low.value(), 9 * 60);
  EXPECT_GE(476e9 / rate.low.value() + start.high.value(), 11 * 60);
}

// https://github.com/vllm-project/vllm/issues/19824: a 70B in FP8 over eight cards, about 10 s from a warm page cache.
TEST(CasesStorage, AWarmPageCacheFillsEightCards) {
  const ProfileLibrary& library = test::repository_library();
  const std::string cards = "\"h100-sxm-80\"";
  std::string eight = cards;
  for (int i = 1; i < 8; ++i) eight += "," + cards;
  const Scenario scenario = test::scenario_of(
      {{"model.id", "llama-3.3-70b", "test"},
       {"model.quantisation", "FP8", "test"},
       {"engine.name", "vllm", "test"},
       {"placement.split", "tensor", "test"},
       {"storage.page_cache", "true", "test"},
       {"cluster.nodes", R"([{"host": "hgx-8gpu", "ram": "1024 GiB", "devices": [)" + eight + "]}]", "test"}});
  const PlacedCluster placed = place_on_cluster(scenario, library, test::repository_timing()).value();
  ASSERT_NE(placed.placement(), nullptr);
  const ColdStart start = cold_start(scenario, placed, library).value();
  const Banded<Seconds> engine = engine_start(scenario.engine);
  EXPECT_LE(start.low_s - engine.low.value(), 10);
  EXPECT_GE(start.high_s - engine.high.value(), 10);
}

}  // namespace
}  // namespace oblea
