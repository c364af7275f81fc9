#include "study/part_name.hpp"

#include <gtest/gtest.h>

namespace oblea {
namespace {

using Words = std::set<std::string>;

TEST(PartName, KeepsTheWordsThatTellPartsApart) {
  EXPECT_EQ(read_part_name("NVIDIA GeForce RTX 3080 Ti").words, (Words{"rtx", "3080", "ti"}));
  EXPECT_EQ(read_part_name("NVIDIA GeForce RTX 4070 Laptop GPU").words, (Words{"rtx", "4070", "laptop"}));
  EXPECT_EQ(read_part_name("NVIDIA A100-SXM4-80GB").words, (Words{"a100", "sxm"}));
  EXPECT_EQ(read_part_name("NVIDIA A100-SXM4-80GB").memory, kGiB * 80);
  EXPECT_EQ(read_part_name("NVIDIA H100 80GB HBM3").words, (Words{"h100", "sxm"}));
  EXPECT_EQ(read_part_name("NVIDIA H200").words, (Words{"h200", "sxm"}));
  EXPECT_EQ(read_part_name("NVIDIA H200 NVL").words, (Words{"h200", "nvl"}));
  EXPECT_EQ(read_part_name("13th Gen Intel(R) Core(TM) i5-13400").words, (Words{"i5", "13400"}));
  EXPECT_EQ(read_part_name("Intel(R) Xeon(R) CPU E5-2680 v4 @ 2.40GHz").words, (Words{"xeon", "e5", "2680", "v4"}));
  EXPECT_EQ(read_part_name("AMD Ryzen 9 5900X 12-Core Processor").words, (Words{"ryzen", "9", "5900x"}));
  EXPECT_EQ(read_part_name("AMD RYZEN AI MAX+ 395 w/ Radeon 8060S").words, (Words{"ryzen", "ai", "max+", "395"}));
  EXPECT_EQ(read_part_name("GA102 [GeForce RTX 3090]").words, (Words{"rtx", "3090"}));
  EXPECT_EQ(read_part_name("2x Intel Xeon Platinum 8480+").count, 2);
}

TEST(PartName, LikenessIsSharedWordsOverAllWords) {
  const PartName ti = read_part_name("RTX 3080 Ti"), plain = read_part_name("GeForce RTX 3080");
  EXPECT_DOUBLE_EQ(likeness(ti, plain), 2.0 / 3);
  EXPECT_DOUBLE_EQ(likeness(ti, ti), 1);
  EXPECT_DOUBLE_EQ(likeness(read_part_name(""), plain), 0);
  EXPECT_TRUE(share_model_number(ti, plain));
  EXPECT_FALSE(share_model_number(read_part_name("RTX 3090"), plain)) << "rtx names no model";
}

TEST(PartName, ALongNameIsCutNotChewed) {
  EXPECT_LE(read_part_name(std::string(100000, '(') + " RTX 3090").words.size(), 1u);
}

}  // namespace
}  // namespace oblea
