// SharedBlocks: which requests begin with the same blocks of prompt, as the groups that a Request can name.
//
// A request names one group and how many tokens it shares with that group, so a tree of prompts is cut into
//   chains: a prompt that holds all of an earlier one goes on with its group (the next turn of a conversation);
//   stems:  prompts that part after the same blocks (a system prompt) are the group of that place.
// Nobody is ever said to share what he does not: of two requests of a group, the one whose prompt is at least as long
// as the other's `prefix_tokens` holds those very tokens. What is lost: a conversation's first turn no longer shares
// the system prompt with strangers, a second continuation of one turn only meets others of its kind, and the part of a
// block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/limits.hpp"
#include "workload/request.hpp"

namespace oblea {

inline constexpr int kTraceBlockTokens = 512;  // of Mooncake's traces

class SharedBlocks {
 public:
  explicit SharedBlocks(std::size_t blocks_max = kMaxTraceBlocks) : blocks_max_(blocks_max) {}

  // The next request, by the numbers of its prompt's blocks: equal numbers in equal places, equal tokens. False when
  // the prompts have more than `blocks_max` different blocks.
  // Example: prompts of 1,024, 1,536 and 1,100 tokens with blocks {0 1}, {0 1 2}, {0 3 4}: the second goes on with the
  // first, 1,024 tokens; the third parts after block 0: a group of its own, 512 tokens.
  bool add(int prompt_tokens, const std::vector<std::int64_t>& blocks);

  // Sets `prefix` and `prefix_tokens`; one request for each that was added, in the same order.
  void set_prefixes(std::vector<Request>& requests) const;

 private:
  struct Step {
    std::uint32_t from;
    std::int64_t block;
    bool operator==(const Step&) const = default;
  };
  struct StepHash {
    std::size_t operator()(const Step& step) const;
  };
  struct Place {
    std::int32_t last = -1;  // request that came by here
    std::int32_t stem = -1;  // group of those that part here
  };
  struct Member {
    std::int32_t group = -1;
    std::int32_t shared = 0;  // whole blocks
    std::int32_t whole = 0;   // blocks of the prompt
    bool in_chain = false;
    bool has_next = false;
  };
  void join(std::size_t request, std::uint32_t place, std::int32_t shared);

  std::size_t blocks_max_;
  std::unordered_map<Step, std::uint32_t, StepHash> steps_;  // only looked up
  std::vector<Place> places_{Place{}};
  std::vector<Member> members_;
  std::int32_t groups_ = 0;
};

}  // namespace oblea
