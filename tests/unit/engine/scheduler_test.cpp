#include "engine/scheduler.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace oblea {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

ServingPlan serving_of(int sequences, double cache_tokens, int block_tokens = 1) {
  ServingPlan plan;
  plan.sequences_max = sequences;
  plan.cache_tokens = cache_tokens;
  plan.block_tokens = block_tokens;
  return plan;
}

int join(Scheduler& scheduler, int request, int prompt, int prefix = -1, int prefix_tokens = 0) {
  return scheduler.add({request, prompt, 0, prefix, prefix_tokens, false});
}

bool fits_alone(const ServingPlan& plan, int prompt, int output) { return fits(plan, prompt, output); }

Pass step(Scheduler& scheduler, int group = 0) {
  Pass pass = scheduler.begin_pass(group);
  scheduler.end_pass(group, pass, 1);
  return pass;
}

std::vector<int> chunk_tokens(const Pass& pass) {
  std::vector<int> tokens;
  for (const Chunk& chunk : pass.chunks) tokens.push_back(chunk.tokens);
  return tokens;
}

// 100 tokens a pass, prompts of 70 and 60: 70 + 30, then one token of the first beside the other 30.
TEST(Scheduler, PromptsAreReadInWhatDecodingLeavesOfAPass) {
  ServingPlan plan = serving_of(4, 1000);
  plan.pass_tokens = 100;
  Scheduler scheduler(plan);
  join(scheduler, 0, 70);
  join(scheduler, 1, 60);
  const Pass first = step(scheduler);
  EXPECT_THAT(first.admitted, ElementsAre(0, 1));
  EXPECT_THAT(chunk_tokens(first), ElementsAre(70, 30));
  EXPECT_THAT(first.decoding, IsEmpty());
  const Pass second = step(scheduler);
  EXPECT_THAT(second.decoding, ElementsAre(0));
  EXPECT_THAT(second.contexts, ElementsAre(71));
  EXPECT_THAT(chunk_tokens(second), ElementsAre(30));
  EXPECT_EQ(second.chunks[0].depth, 30);
  EXPECT_EQ(scheduler.group(0)[1].made_tokens, 1);  // the first token comes with the last of the prompt
}

// Blocks of 16: 33 tokens and the first of the answer are 3 blocks, 48 tokens; the 49th takes a fourth.
TEST(Scheduler, TheCacheIsGivenOutInWholeBlocks) {
  Scheduler scheduler(serving_of(1, 160, 16));
  join(scheduler, 0, 33);
  step(scheduler);
  EXPECT_EQ(scheduler.tokens_used(), 48);
  for (int token = 2; token <= 15; ++token) step(scheduler);
  EXPECT_EQ(scheduler.tokens_used(), 48);  // 33 + 15
  step(scheduler);
  EXPECT_EQ(scheduler.tokens_used(), 64);
  scheduler.remove(0, 0);
  EXPECT_EQ(scheduler.tokens_used(), 0);
  EXPECT_TRUE(scheduler.is_empty());
}

// 20 + 5 tokens in a cache of 25 just fit; in one of 24 never, nor does a prompt that fills it and leaves no token.
TEST(Scheduler, WhatCouldNotBeServedAloneDoesNotFit) {
  EXPECT_TRUE(fits_alone(serving_of(4, 25), 20, 5));
  EXPECT_FALSE(fits_alone(serving_of(4, 24), 20, 5));
  EXPECT_TRUE(fits_alone(serving_of(4, 24), 23, 1));
  EXPECT_FALSE(fits_alone(serving_of(4, 24), 24, 1));
  ServingPlan plan = serving_of(4, 1000);
  plan.context_max = 100;
  EXPECT_TRUE(fits_alone(plan, 60, 40));
  EXPECT_FALSE(fits_alone(plan, 60, 41));
}

// Steps of up to 3 tokens may make 2 more than asked, and those need room: 20 + 5 + 2.
TEST(Scheduler, TokensBeyondTheAnswerNeedRoomToo) {
  ServingPlan plan = serving_of(4, 27);
  plan.tokens_per_step = 2.5;
  EXPECT_TRUE(fits_alone(plan, 20, 5));
  plan.cache_tokens = 26;
  EXPECT_FALSE(fits_alone(plan, 20, 5));
}

// 2.5 tokens a step: 2, 3, 2, 3, ... behind the first.
TEST(Scheduler, PartsOfATokenAreKept) {
  ServingPlan plan = serving_of(1, 1000);
  plan.tokens_per_step = 2.5;
  Scheduler scheduler(plan);
  join(scheduler, 0, 10);
  step(scheduler);
  for (const int made : {3, 6, 8, 11}) {
    step(scheduler);
    EXPECT_EQ(scheduler.group(0)[0].made_tokens, made);
  }
}

// Room for 24: prompts of 10 and 11 take 11 + 12 = 23 with their first tokens; the next two need 25. The one that came
// last goes back with its 11 + 1 tokens, and comes in again when 13 are free: after the first has gone.
TEST(Scheduler, TheLastOneGoesBackAndIsReadAnewWithWhatItHadMade) {
  Scheduler scheduler(serving_of(4, 24));
  join(scheduler, 0, 10);
  join(scheduler, 1, 11);
  step(scheduler);
  EXPECT_EQ(scheduler.tokens_used(), 23);
  const Pass pass = step(scheduler);
  EXPECT_THAT(pass.preempted, ElementsAre(1));
  EXPECT_THAT(pass.contexts, ElementsAre(11));
  EXPECT_EQ(scheduler.tokens_used(), 12);
  EXPECT_EQ(scheduler.preemptions(), 1);
  EXPECT_THAT(step(scheduler).admitted, IsEmpty());
  scheduler.remove(0, 0);
  const Pass again = step(scheduler);
  EXPECT_THAT(again.admitted, ElementsAre(1));
  EXPECT_THAT(chunk_tokens(again), ElementsAre(12));
  EXPECT_EQ(scheduler.group(0)[0].before_tokens, 1);
}

// Room for 35, two that decode hold 12 + 12, each pass takes 2 more: 34 after five, 36 after six.
TEST(Scheduler, ARowLastsAsLongAsTheCache) {
  Scheduler scheduler(serving_of(4, 35));
  join(scheduler, 0, 11);
  join(scheduler, 1, 11);
  step(scheduler);
  const Pass pass = scheduler.begin_pass(0);
  EXPECT_EQ(scheduler.passes_without_decision(0, pass, 20), 5);
  EXPECT_EQ(scheduler.passes_without_decision(0, pass, 4), 4);
  EXPECT_EQ(scheduler.passes_without_decision(0, pass, 1), 1);
}

// A prefix of 60 counts while somebody who has read it is here. Its reader gone, the next one reads all of its prompt.
TEST(Scheduler, APrefixIsGoneWithItsLastReader) {
  ServingPlan plan = serving_of(4, 1000);
  plan.prefix_cache = true;
  Scheduler scheduler(plan);
  join(scheduler, 0, 100, 7, 60);
  step(scheduler);
  join(scheduler, 1, 100, 7, 60);
  join(scheduler, 2, 100, 8, 60);
  EXPECT_THAT(chunk_tokens(step(scheduler)), ElementsAre(40, 100));
  for (int left = 3; left > 0; --left) scheduler.remove(0, 0);
  join(scheduler, 3, 100, 7, 60);
  EXPECT_THAT(chunk_tokens(step(scheduler)), ElementsAre(100));
}

// A prompt that is its prefix and nothing more still has one token to read: it makes the answer's first.
TEST(Scheduler, APromptThatIsAllPrefixIsReadByOneToken) {
  ServingPlan plan = serving_of(4, 1000);
  plan.prefix_cache = true;
  Scheduler scheduler(plan);
  join(scheduler, 0, 60, 7, 60);
  step(scheduler);
  join(scheduler, 1, 60, 7, 60);
  EXPECT_THAT(chunk_tokens(step(scheduler)), ElementsAre(1));
}

// Four slots of 100 / 4 = 25 tokens, whatever is in them.
TEST(Scheduler, ASlotIsReservedWhole) {
  ServingPlan plan = serving_of(4, 100);
  plan.kind = Serving::slots;
  Scheduler scheduler(plan);
  join(scheduler, 0, 3);
  step(scheduler);
  EXPECT_EQ(scheduler.tokens_used(), 25);
  EXPECT_TRUE(fits_alone(plan, 20, 5));
  EXPECT_FALSE(fits_alone(plan, 20, 6));
}

// Slots of 100 / 4 in two groups of two are 25 still, and of 100 / 3 in groups of two and one 33.
TEST(Scheduler, GroupsDoNotChangeASlot) {
  for (const auto& [slots, room] : {std::pair{4, 25}, std::pair{3, 33}}) {
    ServingPlan plan = serving_of(slots, 100);
    plan.kind = Serving::slots;
    plan.micro_batches = 2;
    EXPECT_TRUE(fits_alone(plan, room - 1, 1)) << slots;
    EXPECT_FALSE(fits_alone(plan, room, 1)) << slots;
  }
}

// Seven sequences in three groups are 3, 2 and 2: all seven run at once, the eighth waits.
TEST(Scheduler, SequencesThatDoNotDivideAreAllUsed) {
  ServingPlan plan = serving_of(7, 7000);
  plan.micro_batches = 3;
  Scheduler scheduler(plan);
  for (int request = 0; request < 8; ++request) join(scheduler, request, 10);
  std::size_t running = 0;
  for (int group = 0; group < 3; ++group) {
    step(scheduler, group);
    running += scheduler.group(group).size();
  }
  EXPECT_EQ(running, 7u);
}

TEST(Scheduler, OneAtATimeWhateverThePlanSaysOfSequences) {
  ServingPlan plan = serving_of(8, 100);
  plan.kind = Serving::single;
  plan.micro_batches = 4;
  EXPECT_EQ(group_count(plan), 1);
  EXPECT_TRUE(fits_alone(plan, 95, 5));
  Scheduler scheduler(plan);
  join(scheduler, 0, 10);
  join(scheduler, 1, 10);
  EXPECT_THAT(step(scheduler).admitted, ElementsAre(0));
  EXPECT_THAT(step(scheduler).admitted, IsEmpty());
}

}  // namespace
}  // namespace oblea
