#include "io/measurements.hpp"

#include <gtest/gtest.h>

namespace oblea {
namespace {

std::string file_with(const std::string& changes) {
  return R"({"format": "oblea measurements 1", "rows": [{"id": "x", "source": "s", "date": "2024-05", "quality": "A",
    "engine": "llama.cpp", "back_end": "cuda", "generation": "early", "device": "rtx-3090", "model": "llama-3-8b",
    "mixture": "Q4_K_M", "kind": "decode", "batch": 2, "context": 100, "generated": 50, "kv_cache": "q8_0 keys",
    "value": 80, "unit": "tok/s")" +
         changes + "}]}";
}

TEST(Measurements, AnAggregateRateOfTwoSequencesIsAStepOfTwoTokens) {
  const auto rows = parse_measurements(file_with(""), "test.json");
  ASSERT_TRUE(rows) << print_diagnostics(rows.error());
  EXPECT_DOUBLE_EQ((*rows)[0].seconds, 2.0 / 80);
  EXPECT_DOUBLE_EQ(mean_context((*rows)[0]), 125);
  EXPECT_DOUBLE_EQ((*rows)[0].kv_bytes_per_f16, (1 + 34.0 / 64) / 2);
}

TEST(Measurements, UnknownKeysAndEnginesAreFaults) {
  EXPECT_FALSE(parse_measurements(file_with(R"(, "colour": "red")"), "test.json"));
  std::string text = file_with("");
  text.replace(text.find("llama.cpp"), 9, "lama.cpp");
  EXPECT_FALSE(parse_measurements(text, "test.json"));
}

}  // namespace
}  // namespace oblea
