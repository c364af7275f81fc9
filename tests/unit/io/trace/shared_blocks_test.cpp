#include "io/trace/shared_blocks.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include <boost/random/uniform_int_distribution.hpp>

#include "base/random.hpp"

namespace oblea {
namespace {

struct Prompt {
  int tokens;
  std::vector<std::int64_t> blocks;
};

std::vector<Request> requests_of(const std::vector<Prompt>& prompts) {
  SharedBlocks shared;
  std::vector<Request> requests;
  for (const Prompt& prompt : prompts) {
    EXPECT_TRUE(shared.add(prompt.tokens, prompt.blocks));
    requests.push_back({0, prompt.tokens, 1});
  }
  shared.set_prefixes(requests);
  return requests;
}

std::vector<std::pair<int, int>> prefixes(const std::vector<Prompt>& prompts) {
  std::vector<std::pair<int, int>> all;
  for (const Request& r : requests_of(prompts)) all.emplace_back(r.prefix, r.prefix_tokens);
  return all;
}

using Pairs = std::vector<std::pair<int, int>>;

// The example of the header.
TEST(SharedBlocks, ChainNextTurnsAndPartStrangers) {
  EXPECT_EQ(prefixes({{1024, {0, 1}}, {1536, {0, 1, 2}}, {1100, {0, 3, 4}}}), (Pairs{{0, 0}, {0, 1024}, {1, 512}}));
}

// A system prompt of one block: all part after it, and find each other there.
TEST(SharedBlocks, GiveASystemPromptOneGroup) {
  EXPECT_EQ(prefixes({{2000, {0, 1, 2, 3}}, {2000, {0, 4, 5, 6}}, {1500, {0, 7, 8}}, {900, {9, 10}}}),
            (Pairs{{0, 512}, {0, 512}, {0, 512}, {-1, 0}}));
}

// The third turn finds the second, 3 whole blocks of it; a part of a block is not shared.
TEST(SharedBlocks, FollowAConversation) {
  EXPECT_EQ(prefixes({{1100, {0, 1, 2}}, {1700, {0, 1, 3, 4}}, {2600, {0, 1, 3, 5, 6, 7}}}),
            (Pairs{{0, 0}, {0, 1024}, {0, 1536}}));
}

TEST(SharedBlocks, AreWholeBlocks) {
  EXPECT_EQ(prefixes({{511, {0}}, {511, {0}}}), (Pairs{{-1, 0}, {-1, 0}}));
  EXPECT_EQ(prefixes({{512, {0}}, {512, {0}}}), (Pairs{{0, 0}, {0, 512}}));
}

// Whoever is in a group and has read as many tokens as a request shares holds those very tokens.
TEST(SharedBlocks, NeverClaimMoreThanThereIs) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    RandomStream random = make_random_stream(seed, "prompts");
    const auto draw = [&](int low, int high) {
      return boost::random::uniform_int_distribution<int>(low, high)(random);
    };
    std::vector<Prompt> prompts;
    for (int i = 0; i < 40; ++i) {
      const int tokens = draw(1, 8 * kTraceBlockTokens);
      std::vector<std::int64_t> blocks;
      for (int b = 0; b * kTraceBlockTokens < tokens; ++b) blocks.push_back(draw(0, 2));
      prompts.push_back({tokens, blocks});
    }
    const std::vector<Request> requests = requests_of(prompts);
    for (std::size_t i = 0; i < requests.size(); ++i) {
      ASSERT_LE(requests[i].prefix_tokens, requests[i].prompt_tokens) << "seed " << seed;
      for (std::size_t j = 0; j < requests.size(); ++j) {
        if (requests[i].prefix < 0 || requests[i].prefix != requests[j].prefix) continue;
        if (requests[j].prompt_tokens < requests[i].prefix_tokens) continue;
        const auto [a, b] = std::mismatch(prompts[i].blocks.begin(), prompts[i].blocks.end(), prompts[j].blocks.begin(),
                                          prompts[j].blocks.end());
        ASSERT_GE((a - prompts[i].blocks.begin()) * kTraceBlockTokens, requests[i].prefix_tokens)
            << "seed " << seed << ", requests " << i << " and " << j;
      }
    }
  }
}

TEST(SharedBlocks, HaveALimit) {
  SharedBlocks shared(3);
  EXPECT_TRUE(shared.add(1024, {0, 1}));
  EXPECT_TRUE(shared.add(1024, {0, 2}));
  EXPECT_TRUE(shared.add(1024, {0, 1}));
  EXPECT_FALSE(shared.add(1024, {0, 3}));
}

}  // namespace
}  // namespace oblea
