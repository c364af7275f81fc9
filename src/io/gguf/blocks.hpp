// GgufBlocks: the tensors of a model by layer, from their names ("blk.7.attn_q.weight").
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "io/gguf/header.hpp"

namespace oblea {

// One layer's tensors by the rest of their names. The names live in the headers.
class GgufBlock {
 public:
  void add(std::string_view name, const GgufTensor& tensor) { tensors_[name] = &tensor; }
  bool empty() const { return tensors_.empty(); }
  const std::map<std::string_view, const GgufTensor*>& tensors() const { return tensors_; }

  // nullptr when absent.
  const GgufTensor* find(std::string_view name) const;
  bool has(std::string_view name) const { return find(name) != nullptr; }
  bool has_any(std::string_view prefix) const;

  // Input and output width of a matrix; 0 when absent.
  std::int64_t columns(std::string_view name) const { return dim(name, 0); }
  std::int64_t rows(std::string_view name) const { return dim(name, 1); }
  std::int64_t matrices(std::string_view name) const { return dim(name, 2); }

 private:
  std::int64_t dim(std::string_view name, std::size_t index) const;

  std::map<std::string_view, const GgufTensor*> tensors_;
};

struct GgufBlocks {
  std::vector<GgufBlock> blocks;          // up to kMaxLayers; a gap is an empty block
  std::vector<const GgufTensor*> others;  // of no block, or of one beyond the limit
};

GgufBlocks sort_into_blocks(const std::vector<GgufHeader>& headers);

// "blk.7.attn_q.weight": 7 and "attn_q.weight"; index -1 for a name of no block.
struct BlockName {
  int index = -1;
  std::string_view rest;
};
BlockName parse_block_name(std::string_view name);

}  // namespace oblea
