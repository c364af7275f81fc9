// The claims of the three guides, and of the scenarios beside them: confirmed or refuted, with both numbers.
#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "support/repository.hpp"

namespace oblea {
namespace {

constexpr ClaimOutcome kConfirmed = ClaimOutcome::confirmed;
constexpr ClaimOutcome kRefuted = ClaimOutcome::refuted;

struct Expected {
  const char* statement;
  ClaimOutcome outcome;
};

void expect_claims(const char* scenario, const std::vector<Expected>& expected) {
  const Report report = test::place_repository(scenario);
  ASSERT_EQ(report.claims.size(), expected.size()) << scenario;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const ClaimRow& row = report.claims[i];
    EXPECT_EQ(row.statement, expected[i].statement) << scenario;
    EXPECT_EQ(row.outcome, expected[i].outcome) << row.statement << ": " << row.claimed << "; " << row.computed;
    EXPECT_FALSE(row.claimed.empty()) << row.statement;
    EXPECT_FALSE(row.computed.empty()) << row.statement;
  }
}

TEST(Claims, OfTheTwoNodeHomeCluster) {
  expect_claims(
      "scenarios/homelab/two-node-10gbe.json",
      {
          {"Llama 3.3 70B at Q4 runs distributed over both cards", kRefuted},  // 39.6 > 26.4 GiB
          {"16 + 12 GB give 28 GB to tensor parallelism", kRefuted},           // 2 x 12
          {"The 16-bit weights of Llama 3.3 70B start on the cluster, as its serving command asks",
           kRefuted},                                                                                   // 131 GiB
          {"Mistral Large 123B runs at Q2", kRefuted},                                                  // 42.1 GiB
          {"Qwen 2.5 72B runs at Q4", kRefuted},                                                        // 44.2 GiB
          {"A 32B model at Q4 runs with 8k of context", kConfirmed},                                    // 18.5 + 2 GiB
          {"Splitting by layers makes the 10 GbE link nearly free: under 10 % of a step", kConfirmed},  // one 16 kB hop
          // 160 collectives of 20 + 74 + 140 us beside 30 ms of work; of 65 us over 10 GbE; 2.62 MB a token.
          {"Tensor parallel over 1 GbE waits for the network 70 % of the time", kRefuted},
          {"Over 10 GbE it waits 5 % of the time", kRefuted},
          {"Tensor parallel decode moves 2 to 5 GB/s between the cards", kRefuted},
          {"The parts cost about EUR 3,430", kRefuted},                                 // DDR5 has risen
          {"The cluster costs at most EUR 30 a month at eight hours a day", kRefuted},  // 0.287 EUR a kWh
      });
}

// 70B in 2.4 bits, 20.8 GB over two cards: 160 collectives of 16,384 B a token, of 2,000 x 16,384 B while a prompt is
// read.
TEST(Claims, OfTheTwoNodesNetworks) {
  expect_claims(
      "scenarios/homelab/two-node-networks.json",
      {
          {"Tensor parallel decode waits for 1 GbE about half of the time", kConfirmed},  // 160 x 248 us = 40 of 71 ms
          {"For 10 GbE, a fifth to a third of the time", kConfirmed},                     // 160 x 71 us = 11 of 42 ms
          {"With RDMA over 10 Gb/s and more it waits 5 % of the time", kRefuted},         // 160 x 21 us = 3.4 of 34 ms
          // 5.24 GB each way: 45 s beside 2.4 s of work; 4.5 s; 1.6 s of 4.0.
          {"Reading a prompt waits for 1 GbE more than nine tenths of the time", kConfirmed},
          {"For 10 GbE more than half of it", kConfirmed},
          {"With RDMA less than a tenth", kRefuted},
          {"Splitting by layers costs less than 2 % of a step on 1 GbE", kConfirmed},         // one hop of 0.24 ms
          {"In llama.cpp too, whose RPC sends the graph anew", kRefuted},                     // 2.1 x 1.1 MB / 117 MB/s
          {"Bonding 2 x 2.5 GbE gives one flow 5 Gb/s (0.59 GB/s)", kRefuted},                // one port: 294 MB/s
          {"It gives many flows together 5 Gb/s", kConfirmed},                                // 2 x 294 MB/s
          {"2 to 5 GB/s go between the cards in decode", kRefuted},                           // 2.62 MB x 24 a second
          {"2 to 5 GB/s go between the cards while a prompt is read over 10 GbE", kRefuted},  // 5.24 GB in 7 s
      });
}

TEST(Claims, OfEightRaspberryPiOnOneSwitch) {
  expect_claims("scenarios/homelab/raspberry-pi-switch.json",
                {
                    // 341 ms of work and 64 syncs of 3.6 ms.
                    {"Eight answer faster than the four of the same run: 2.02 tokens/s", kRefuted},
                    {"They wait for the network half of the time", kConfirmed},
                    {"Four wait less than a tenth of it", kConfirmed},  // 64 x 0.4 ms of 522
                                                                        // 64 x 0.7 ms
                    {"On a switch that holds what seven send at once eight answer faster than four", kConfirmed},
                });
}

TEST(Claims, OfKimiK3OnWafers) {
  expect_claims(
      "scenarios/wafer/kimi-k3.json",
      {
          {"A layer takes about 16 GB at 4 bits", kConfirmed},  // 16.99: within 7 %
          {"93 layers", kConfirmed},
          {"24 of them with full attention", kConfirmed},
          {"Two linear layers, or one full-attention layer alone, a wafer: 59 wafers", kRefuted},  // in order: 70
          {"59 wafers are enough if layers need not follow the pipeline's order", kConfirmed},     // 24 + 35
          {"A full-attention layer needs a wafer of its own: two layers everywhere do not fit",
           kRefuted},                                                // 33.6 of 44 GB
          {"Two layers everywhere take 47 wafers", kConfirmed},      // 93 / 2
          {"Hops of 2 us are what limits a token's way", kRefuted},  // layers do
      });
}

TEST(Claims, OfTheImmersionTank) {
  expect_claims("scenarios/immersion/four-3090.json",
                {
                    {"Llama 3 70B at 4 bits runs on the four cards", kConfirmed},    // 39.6 of 92.8 GiB
                    {"Two cards are enough for it with 8k of context", kConfirmed},  // 42.1 of 46.4
                    {"One card is enough for it", kRefuted},                         // 39.6 > 23.2
                    {"Two supplies of 1,200 to 1,600 W carry it: at most 3,200 W at the wall", kConfirmed},  // 1,687 W
                    {"About 1,685 W at the wall", kConfirmed},
                    {"A 16 A / 230 V circuit carries it for hours (2,944 W)", kConfirmed},  // 1,721 W
                    {"A 15 A / 120 V circuit carries it for hours (1,440 W)", kRefuted},    // 1,759 W
                    {"With the cards limited to 280 W it does, pump and radiator fans counted (1,440 W)",
                     kRefuted},                                                                   // 1,427 + 34
                    {"With the cards limited to 270 W it does (1,440 W)", kConfirmed},            // 1,382 + 34
                    {"Oil at 40 degrees, dies at 50 degrees at full load", kRefuted},             // 49 and 81
                    {"PUE between 1.05 and 1.10", kRefuted},                                      // 34 W on 1,687: 1.02
                    {"A year at full load costs about EUR 2,214 (at EUR 0.15 a kWh)", kRefuted},  // at 0.287: 4,244
                });
}

TEST(Claims, OfTheOtherScenarios) {
  expect_claims("scenarios/homelab/single-3090-qwen3-32b.json",
                {
                    {"A 32B model at 4 bits runs on a 24 GB card", kConfirmed},   // 18.4 + 3 of 23.2 GiB
                    {"With all of its 32k context too", kRefuted},                // 8 GiB of KV
                    {"With 32k and the KV cache at eight bits too", kConfirmed},  // 4.25 GiB
                    {"It answers faster than people read (10 tokens/s)", kConfirmed},
                });
  expect_claims(
      "scenarios/homelab/tensor-parallel-rdma.json",
      {
          {"Over RDMA the cards wait for the link in less than a fifth of a step", kConfirmed},  // 128 collectives
          {"Over TCP on the same cards too", kRefuted},                                          // latency, not width
          {"Over 10 GbE too", kRefuted},
      });
  expect_claims("scenarios/homelab/gpt-oss-120b-strix-halo.json",
                {
                    {"It runs with 32k of context", kConfirmed},  // 59 of 120 GiB
                    {"Faster than people read (10 tokens/s)", kConfirmed},
                    {"At four hours a day its electricity costs less than EUR 20 a month", kConfirmed},  // 130 W
                });
  expect_claims("scenarios/wafer/llama-405b-wse3.json",
                {
                    {"Two layers a wafer take 63 wafers", kConfirmed},  // 126 / 2
                    {"One layer a wafer takes 126", kConfirmed},
                    {"64 requests may have 128k tokens each", kRefuted},  // 31 GB / 8,192 B / 64
                });
  expect_claims("scenarios/immersion/four-3090-air.json",
                {
                    {"Without pump and radiator fans 15 A / 120 V carry it for hours (1,440 W)", kRefuted},  // 1,725 W
                    {"They do with the cards limited to 280 W", kConfirmed},                                 // 1,427 W
                });
}

// 4 x 280 + 150 = 1,270 W of 1,500; 4 x 480 + 150 = 2,070 W below 1 ms, whatever the cap; at 1,550 MHz 4 x 309 + 150.
TEST(Claims, OfTheSupplyThatTrips) {
  expect_claims("scenarios/homelab/tripping-supply.json",
                {
                    {"With every card capped at 280 W, 1,500 W are enough", kConfirmed},  // 85 %
                    {"So it does not trip", kRefuted},                                    // 138 %
                    {"A cap of 230 W cures it", kRefuted},                                // no cap reaches below 1 ms
                    {"A clock lock of 1,550 MHz cures it", kConfirmed},                   // 1,386 W
                    {"A unit of 1,600 W made for ATX 3 does not trip", kConfirmed},       // 129 of 180 %
                    {"The fourth card on a supply of its own cures it", kConfirmed},      // 1,590 W, 106 %
                    {"Layers in turns do not trip it", kConfirmed},
                    // 1,412 + 1,500 W on 1,800 W: 1.62 times.
                    {"A heater of 1,500 W on the same circuit opens the breaker within ten minutes", kConfirmed},
                });
}

}  // namespace
}  // namespace oblea
