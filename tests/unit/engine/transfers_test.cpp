#include "engine/transfers.hpp"

#include <gtest/gtest.h>

namespace oblea {
namespace {

TransferTimes times_of(const TransferPlan& plan) {
  const Result<TransferTimes> times = run_transfers(plan);
  if (!times) throw std::runtime_error(print_diagnostics(times.error()));
  return *times;
}

Transfer over(std::vector<int> path, double bytes) {
  Transfer transfer;
  transfer.name = "transfer";
  transfer.bytes = bytes;
  transfer.path = std::move(path);
  return transfer;
}

// Case G07 (simgrid/simgrid issue 219): with SimGrid's own factors one flow gets 125e6 x 0.97 / 1.05 = 115,476,190 B/s.
TEST(Transfers, G07OneFlowGetsAllOfItsLink) {
  const TransferTimes times = times_of({{{"gigabit", 125e6, 0}}, {over({0}, 125e6)}});
  EXPECT_NEAR(times.end_s[0], 1, 1e-9);
  EXPECT_EQ(times.bytes[0], 125e6);
}

// 0.5 + 0.25 s of latency, then 3 GB at the narrower 1 GB/s.
TEST(Transfers, AloneItTakesLatenciesAndBytesOverTheLeastRate) {
  const TransferTimes times = times_of({{{"disk", 2e9, 0.5}, {"wire", 1e9, 0.25}}, {over({0, 1}, 3e9)}});
  EXPECT_EQ(times.begin_s[0], 0);
  EXPECT_NEAR(times.end_s[0], 3.75, 1e-9);
}

TEST(Transfers, SeveralOnOneLinkGetEqualShares) {
  for (const int k : {2, 3, 7}) {
    TransferPlan plan{{{"wire", 1e9, 0}}, {}};
    for (int i = 0; i < k; ++i) plan.transfers.push_back(over({0}, 1e9));
    for (const double end_s : times_of(plan).end_s) EXPECT_NEAR(end_s, k, 1e-9);
  }
}

// SimGrid alone would weigh the shares with latencies: 3 to 1 here.
TEST(Transfers, LatencyDoesNotWeighShares) {
  TransferPlan plan{{{"shared", 1e9, 0}, {"near", 1e12, 0.1}, {"far", 1e12, 0.3}}, {}};
  plan.transfers = {over({0, 1}, 2e9), over({0, 2}, 2e9)};
  const TransferTimes times = times_of(plan);
  // Alone from 0.1 to 0.3 s: 0.2 GB. Then half each: the first needs 1.8 / 0.5 = 3.6 s more, the second has 0.2 GB
  // left.
  EXPECT_NEAR(times.end_s[0], 3.9, 1e-9);
  EXPECT_NEAR(times.end_s[1], 4.1, 1e-9);
}

// A wide link of 10 and a narrow one of 2, B/s. One crosses both, one the wide, two the narrow:
// narrow: 2 / 3 each; wide: what the first leaves, 10 - 2/3 = 28/3.
TEST(Transfers, MaxMinOverTwoLinksByHand) {
  TransferPlan plan{{{"wide", 10, 0}, {"narrow", 2, 0}}, {}};
  plan.transfers = {over({0, 1}, 200), over({0}, 2800), over({1}, 200), over({1}, 200)};
  const TransferTimes times = times_of(plan);
  for (const double end_s : times.end_s) EXPECT_NEAR(end_s, 300, 1e-9 * 300);
  EXPECT_EQ(times.bytes[0], 3000);
  EXPECT_EQ(times.bytes[1], 600);
}

// 1 s, half a second of pause, then 2 s; the third leaves together with the first: both get half.
TEST(Transfers, OneAfterTheOther) {
  TransferPlan plan{{{"wire", 1e9, 0}}, {over({0}, 1e9), over({0}, 2e9)}};
  plan.transfers[1].after = 0;
  plan.transfers[1].delay_s = 0.5;
  TransferTimes times = times_of(plan);
  EXPECT_NEAR(times.begin_s[1], 1.5, 1e-9);
  EXPECT_NEAR(times.end_s[1], 3.5, 1e-9);
  plan.transfers.push_back(over({0}, 1e9));
  times = times_of(plan);
  EXPECT_NEAR(times.end_s[0], 2, 1e-9);
  EXPECT_NEAR(times.end_s[2], 2, 1e-9);
  EXPECT_NEAR(times.end_s[1], 4.5, 1e-9);
}

// A flow held at 0.2 GB/s leaves 0.8 to the other one.
TEST(Transfers, ARateOfItsOwn) {
  TransferPlan plan{{{"wire", 1e9, 0}}, {over({0}, 1e9), over({0}, 4e9)}};
  plan.transfers[0].rate_max_per_s = 0.2e9;
  const TransferTimes times = times_of(plan);
  EXPECT_NEAR(times.end_s[0], 5, 1e-8);
  EXPECT_NEAR(times.end_s[1], 5, 1e-8);
}

TEST(Transfers, NothingTakesItsLatencyOnly) {
  const TransferTimes times = times_of({{{"wire", 1e9, 0.5}}, {over({0}, 0)}});
  EXPECT_NEAR(times.end_s[0], 0.5, 1e-12);
  EXPECT_TRUE(times_of({}).end_s.empty());
}

std::string why_not(const TransferPlan& plan) {
  const Result<TransferTimes> times = run_transfers(plan);
  return times ? "ran" : print_diagnostics(times.error());
}

void expect_refused(const TransferPlan& plan, const char* words) {
  EXPECT_NE(why_not(plan).find(words), std::string::npos) << words << ": " << why_not(plan);
}

TEST(Transfers, FaultyPlansAreRefused) {
  const TransferPlan good{{{"wire", 1e9, 0}}, {over({0}, 1)}};
  ASSERT_EQ(why_not(good), "ran");
  const auto with = [&](auto change) {
    TransferPlan plan = good;
    change(plan);
    return plan;
  };
  expect_refused(with([](TransferPlan& p) { p.transfers[0].path = {}; }), "through nothing");
  expect_refused(with([](TransferPlan& p) { p.transfers[0].path = {1}; }), "resource 1 of 1");
  expect_refused(with([](TransferPlan& p) { p.transfers[0].path = {-1}; }), "resource -1 of 1");
  expect_refused(with([](TransferPlan& p) { p.transfers[0].path = {0, 0}; }), "twice");
  expect_refused(with([](TransferPlan& p) { p.transfers[0].after = 0; }), "no earlier one");
  expect_refused(with([](TransferPlan& p) { p.transfers[0].after = -2; }), "no earlier one");
  expect_refused(with([](TransferPlan& p) { p.transfers[0].bytes = -1; }), "moves -1 bytes");
  expect_refused(with([](TransferPlan& p) { p.transfers[0].bytes = 1e19; }), "moves 1e+19 bytes");
  expect_refused(with([](TransferPlan& p) { p.transfers[0].rate_max_per_s = -1; }), "a second at most");
  expect_refused(with([](TransferPlan& p) { p.transfers[0].delay_s = -1; }), "waits -1 s");
  expect_refused(with([](TransferPlan& p) { p.resources[0].bytes_per_s = 0; }), "moves 0 bytes a second");
  expect_refused(with([](TransferPlan& p) { p.resources[0].latency_s = -1; }), "latency of -1");
  expect_refused(with([](TransferPlan& p) { p.transfers.resize(4097, p.transfers[0]); }), "the limit is 4096");
}

// All faults at once.
TEST(Transfers, EveryFaultIsNamed) {
  TransferPlan plan{{{"wire", 0, -1}}, {over({7}, -1)}};
  const Result<TransferTimes> times = run_transfers(plan);
  ASSERT_FALSE(times);
  EXPECT_EQ(times.error().size(), 4u);
}

}  // namespace
}  // namespace oblea
