#include "placement/engine_version.hpp"

#include <gtest/gtest.h>

namespace oblea {
namespace {

TEST(EngineVersion, BuildsAndReleasesAreRead) {
  EXPECT_EQ(parse_engine_version("b6500")->build, 6500);
  EXPECT_EQ(parse_engine_version("6500")->build, 6500);
  EXPECT_EQ(parse_engine_version("v0.5.0")->minor, 5);
  EXPECT_EQ(parse_engine_version("0.10.2")->minor, 10);
  EXPECT_EQ(parse_engine_version("0.10.2")->patch, 2);
  EXPECT_EQ(parse_engine_version("0.8")->minor, 8);
  EXPECT_FALSE(parse_engine_version(""));
  EXPECT_FALSE(parse_engine_version("latest"));
  EXPECT_FALSE(parse_engine_version("b12x"));
}

TEST(EngineVersion, ReleasesOfLlamaCppCameAfterEveryBuild) {
  EXPECT_TRUE(is_llama_cpp_before("b6500", 9500));
  EXPECT_FALSE(is_llama_cpp_before("b9500", 9500));
  EXPECT_FALSE(is_llama_cpp_before("v0.5.0", 9500));
  EXPECT_FALSE(is_llama_cpp_before("", 9500));
}

TEST(EngineVersion, MinorReleasesCountAsNumbers) {
  EXPECT_TRUE(is_vllm_before("0.9.2", 0, 10));
  EXPECT_FALSE(is_vllm_before("0.10.0", 0, 10));
  EXPECT_FALSE(is_vllm_before("1.0", 0, 21));
  EXPECT_FALSE(is_vllm_before("", 0, 8));
}

}  // namespace
}  // namespace oblea
