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
