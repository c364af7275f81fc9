#include "io/trace/shared_blocks.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace oblea {

// SplitMix64's mixing of both numbers. Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators",
// 2014.
std::size_t SharedBlocks::StepHash::operator()(const Step& step) const {
  std::uint64_t x = static_cast<std::uint64_t>(step.block) * 0x9E3779B97F4A7C15ull + step.from;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
  return static_cast<std::size_t>(x ^ (x >> 31));
}

bool SharedBlocks::add(int prompt_tokens, const std::vector<std::int64_t>& blocks) {
  const std::size_t whole = std::min(blocks.size(), static_cast<std::size_t>(prompt_tokens / kTraceBlockTokens));
  const auto request = static_cast<std::int32_t>(members_.size());
  members_.push_back({.whole = static_cast<std::int32_t>(whole)});
  std::uint32_t place = 0;
  std::int32_t shared = 0;
  for (std::size_t i = 0; i < whole; ++i) {
    const auto [step, is_new] = steps_.try_emplace({place, blocks[i]}, static_cast<std::uint32_t>(places_.size()));
    if (is_new && places_.size() > blocks_max_) return false;
    if (is_new && shared == static_cast<std::int32_t>(i) && shared > 0) join(members_.size() - 1, place, shared);
    if (is_new) places_.emplace_back();
    if (!is_new) ++shared;
    place = step->second;
    if (i + 1 == whole && shared == static_cast<std::int32_t>(whole)) join(members_.size() - 1, place, shared);
  }
  // Only now: nobody shares with himself.
  place = 0;
  for (std::size_t i = 0; i < whole; ++i) {
    place = steps_.find({place, blocks[i]})->second;
    places_[place].last = request;
  }
  return true;
}

// The request shares `shared` blocks, up to `place`, with whoever came by there last.
void SharedBlocks::join(std::size_t request, std::uint32_t place, std::int32_t shared) {
  Place& at = places_[place];
  Member& member = members_[request];
  Member& other = members_[static_cast<std::size_t>(at.last)];
  member.shared = shared;
  if (at.stem < 0 && shared >= other.whole && !other.has_next) {
    if (!other.in_chain) other = {groups_++, 0, other.whole, true, false};
    other.has_next = true;
    member.group = other.group;
    member.in_chain = true;
    return;
  }
  if (at.stem < 0) at.stem = groups_++;
  member.group = at.stem;
  if (other.group < 0) {
    other.group = at.stem;
    other.shared = shared;
  }
}

void SharedBlocks::set_prefixes(std::vector<Request>& requests) const {
  OBLEA_CHECK(requests.size() == members_.size(), "a member for each request");
  for (std::size_t i = 0; i < requests.size(); ++i) {
    requests[i].prefix = members_[i].group;
    requests[i].prefix_tokens = members_[i].shared * kTraceBlockTokens;
  }
}

}  // namespace oblea
