#include "timing/collective.hpp"

#include <gtest/gtest.h>

namespace oblea {
namespace {

CollectiveLink gigabit() { return {LinkClass::tcp, Seconds(74e-6), BytesPerSecond(117e6), Seconds(0)}; }
CollectiveLink nvlink_h200() { return {LinkClass::nvlink, Seconds(0.9e-6), BytesPerSecond(450e9), Seconds(0)}; }

// 20 us + 74 us + 16,384 B / 117 MB/s = 140.0 us.
TEST(Collective, TwoNodesOnGigabitExchangeAtOnce) {
  EXPECT_NEAR(all_reduce_time(2, Bytes(16384), gigabit()).value.value(), 234.0e-6, 0.1e-6);
}

// Tensor parallel 70B: 160 all-reduces of 16,384 B a token are 37.4 ms on gigabit, most of it payload and latency.
TEST(Collective, SeventyBOnGigabitWaits37MillisecondsAToken) {
  EXPECT_NEAR(160 * all_reduce_time(2, Bytes(16384), gigabit()).value.value(), 37.4e-3, 0.1e-3);
}

// Measured with nccl-tests (aiconfigurator @095f58a): H200, 16,384 B: 7.3, 10.9 and 18.3 us on 2, 4 and 8.
TEST(Collective, SmallNvlinkCollectivesAgreeWithNcclTests) {
  for (const auto& [ranks, measured] : {std::pair{2, 7.27e-6}, {4, 10.87e-6}, {8, 18.3e-6}}) {
    const Prediction p = all_reduce_time(ranks, Bytes(16384), nvlink_h200());
    EXPECT_GE(measured, p.low.value()) << ranks;
    EXPECT_LE(measured, p.high.value()) << ranks;
    EXPECT_NEAR(p.value.value(), measured, 0.15 * measured) << ranks;
  }
}

TEST(Collective, OneRankHasNothingToReduce) { EXPECT_EQ(all_reduce_time(1, Bytes(1e9), gigabit()).value.value(), 0); }

// A ring moves 2 (n - 1) / n of a large message: 2 x 3 / 4 x 117 MB = 1.5 s, against 2 s for two exchanges.
TEST(Collective, LargeMessagesGoRoundTheRing) {
  EXPECT_NEAR(all_reduce_time(4, Bytes(117e6), gigabit()).value.value(), 1.5, 0.001);
}

// 2 boxes of 2 cards: inside 15 + 1.3 us, then 74 + 280 with two flows on one port: 20 + 16.3 + 354 = 390 us, against
// 674 us round the ring.
TEST(Collective, AnExchangePaysEachStepsOwnLink) {
  CollectiveGroup group = make_collective_group(4, gigabit());
  group.exchange[0] = {LinkClass::pcie_host_bounce, Seconds(15e-6), BytesPerSecond(12.5e9), Seconds(0)};
  group.exchange[1].goodput = BytesPerSecond(58.5e6);
  EXPECT_NEAR(all_reduce_time(group, Bytes(16384)).value.value(), 390.4e-6, 0.1e-6);
  group.exchange[1].goodput = BytesPerSecond(10e6);
  EXPECT_NEAR(all_reduce_time(group, Bytes(16384)).value.value(), 674.1e-6, 0.1e-6);
}

// Three ranks: one exchange, and two steps more for the rank beyond the power of two: 20 + 3 x (74 + 140) = 662 us; in
// a ring 20 + 4 x 74 + 4 / 3 x 140 = 503 us.
TEST(Collective, RanksBeyondAPowerOfTwoCostTwoStepsMore) {
  EXPECT_NEAR(all_reduce_time(3, Bytes(16384), gigabit()).value.value(), 502.7e-6, 0.1e-6);
  EXPECT_NEAR(all_reduce_time(3, Bytes(128), gigabit()).value.value(), (20 + 3 * (74 + 1.094)) * 1e-6, 0.1e-6);
}

// 20 + 2 x (74 + 111.6) = 391 us for four nodes.
TEST(Collective, AStarSendsOutAndTakesBack) {
  EXPECT_NEAR(star_sync_time(make_collective_group(4, gigabit()), Bytes(4352)).value.value(), 391.2e-6, 0.1e-6);
}

// 689 us for eight, and 4.3 frames too many for a buffer of 24 kB: 2.87 ms of waiting for TCP's timeout on average.
// Four nodes fill it with 13 kB only.
TEST(Collective, AStarOverflowsASmallBuffer) {
  CollectiveGroup eight = make_collective_group(8, gigabit());
  EXPECT_NEAR(star_sync_time(eight, Bytes(4352)).value.value(), 688.8e-6, 0.1e-6);
  eight.port_buffer = Bytes(24e3);
  EXPECT_NEAR(star_sync_time(eight, Bytes(4352)).value.value(), 3561.7e-6, 0.1e-6);
  CollectiveGroup four = make_collective_group(4, gigabit());
  four.port_buffer = Bytes(24e3);
  EXPECT_NEAR(star_sync_time(four, Bytes(4352)).value.value(), 391.2e-6, 0.1e-6);
}

TEST(Collective, AHopIsHalfTheSoftwareTheLatencyAndThePayload) {
  EXPECT_NEAR(pipeline_hop_time(Bytes(16384), gigabit()).value.value(), 224.0e-6, 0.1e-6);
}

// Measured: TinyLlama over gigabit 63 -> 42 tok/s is 7.9 ms a token (llama.cpp PR 6829).
TEST(Collective, RpcOverheadMatchesTheMeasuredLoss) {
  const Prediction p = rpc_overhead(376, 32000, 2048, gigabit());
  EXPECT_NEAR(p.value.value(), 6.71e-3, 0.05e-3);
  EXPECT_LE(p.low.value(), 1.0 / 42 - 1.0 / 63);
  EXPECT_GE(p.high.value(), 1.0 / 42 - 1.0 / 63);
}

TEST(Collective, RdmaIsUsedOnlyWhereItIsThereAndWanted) {
  Nic nic;
  nic.tcp_latency.value = Seconds(26e-6);
  nic.goodput.value = BytesPerSecond(1.17e9);
  EXPECT_EQ(make_collective_link(nic, true).kind, LinkClass::tcp);
  nic.rdma_latency = Sourced<Seconds>{Seconds(1.1e-6), {}};
  nic.rdma_goodput = Sourced<BytesPerSecond>{BytesPerSecond(3.29e9), {}};
  EXPECT_EQ(make_collective_link(nic, false).kind, LinkClass::tcp);
  EXPECT_EQ(make_collective_link(nic, true).kind, LinkClass::rdma);
  // 5 + 1.1 + 5.0 us: inside the 5 to 12 us that RDMA takes for a small collective.
  EXPECT_NEAR(all_reduce_time(2, Bytes(16384), make_collective_link(nic, true)).value.value(), 11.1e-6, 0.1e-6);
}

}  // namespace
}  // namespace oblea
