#include "io/gguf/blocks.hpp"

#include <charconv>

#include "base/limits.hpp"

namespace oblea {

const GgufTensor* GgufBlock::find(std::string_view name) const {
  const auto found = tensors_.find(name);
  return found == tensors_.end() ? nullptr : found->second;
}

bool GgufBlock::has_any(std::string_view prefix) const {
  const auto found = tensors_.lower_bound(prefix);
  return found != tensors_.end() && found->first.starts_with(prefix);
}

std::int64_t GgufBlock::dim(std::string_view name, std::size_t index) const {
  const GgufTensor* tensor = find(name);
  return tensor != nullptr ? tensor->dims[index] : 0;
}

BlockName parse_block_name(std::string_view name) {
  constexpr std::string_view kStart = "blk.";
  if (!name.starts_with(kStart)) return {};
  int index = -1;
  const char* end = name.data() + name.size();
  const auto [rest, error] = std::from_chars(name.data() + kStart.size(), end, index);
  if (error != std::errc() || index < 0 || rest == end || *rest != '.') return {};
  return {index, name.substr(static_cast<std::size_t>(rest + 1 - name.data()))};
}

GgufBlocks sort_into_blocks(const std::vector<GgufHeader>& headers) {
  GgufBlocks sorted;
  for (const GgufHeader& header : headers) {
    for (const GgufTensor& tensor : header.tensors) {
      const BlockName name = parse_block_name(tensor.name);
      if (name.index < 0 || name.index >= kMaxLayers) {
        sorted.others.push_back(&tensor);
        continue;
      }
      const auto index = static_cast<std::size_t>(name.index);
      if (sorted.blocks.size() <= index) sorted.blocks.resize(index + 1);
      sorted.blocks[index].add(name.rest, tensor);
    }
  }
  return sorted;
}

}  // namespace oblea
