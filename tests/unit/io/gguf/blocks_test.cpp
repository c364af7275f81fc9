#include "io/gguf/blocks.hpp"

#include <gtest/gtest.h>

#include "base/limits.hpp"

namespace oblea {
namespace {

TEST(GgufBlocks, NamesHaveALayerAndARest) {
  EXPECT_EQ(parse_block_name("blk.17.attn_q.weight").index, 17);
  EXPECT_EQ(parse_block_name("blk.17.attn_q.weight").rest, "attn_q.weight");
  for (const char* other : {"token_embd.weight", "blk.", "blk.x.a", "blk.-1.a", "blk.3", "blk.3a.b",
                            "blk.99999999999.a", "v.blk.3.attn_q.weight", "blk..a", ""}) {
    EXPECT_EQ(parse_block_name(other).index, -1) << other;
  }
}

TEST(GgufBlocks, TensorsAreSortedByLayerUpToTheLimit) {
  std::vector<GgufHeader> headers(1);
  const auto add = [&](const std::string& name, std::array<std::int64_t, 4> dims) {
    headers[0].tensors.emplace_back();
    headers[0].tensors.back().name = name;
    headers[0].tensors.back().dims = dims;
  };
  add("blk.2.attn_q.weight", {64, 32, 1, 1});
  add("output.weight", {64, 100, 1, 1});
  add("blk." + std::to_string(kMaxLayers - 1) + ".a", {1, 1, 1, 1});
  add("blk." + std::to_string(kMaxLayers) + ".a", {1, 1, 1, 1});
  const GgufBlocks blocks = sort_into_blocks(headers);
  EXPECT_EQ(blocks.blocks.size(), static_cast<std::size_t>(kMaxLayers));
  EXPECT_EQ(blocks.others.size(), 2u);
  EXPECT_TRUE(blocks.blocks[0].empty());
  EXPECT_EQ(blocks.blocks[2].rows("attn_q.weight"), 32);
  EXPECT_EQ(blocks.blocks[2].rows("attn_k.weight"), 0);
  EXPECT_TRUE(blocks.blocks[2].has_any("attn_"));
  EXPECT_FALSE(blocks.blocks[2].has_any("ffn_"));
}

}  // namespace
}  // namespace oblea
