#include "power/device_power.hpp"

#include <gtest/gtest.h>

#include "parts.hpp"

namespace oblea {
namespace {

using parts::gpu;
using parts::rtx_3090;

TEST(DevicePower, TheExampleOfTheHeader) {
  const Device card = rtx_3090();
  const Banded<Watts> decode = device_watts(card, DevicePhase::decode);
  EXPECT_DOUBLE_EQ(decode.value.value(), 315);  // 0.90 x 350
  EXPECT_DOUBLE_EQ(decode.low.value(), 245);    // 0.70 x 350
  EXPECT_DOUBLE_EQ(decode.high.value(), 350);
  const Banded<Watts> limited = device_watts(card, DevicePhase::decode, Watts(280));
  EXPECT_DOUBLE_EQ(limited.value.value(), 280);
  EXPECT_DOUBLE_EQ(limited.low.value(), 245);
  EXPECT_DOUBLE_EQ(limited.high.value(), 280);
  EXPECT_DOUBLE_EQ(device_watts(card, DevicePhase::resident).value.value(), 34);
  EXPECT_DOUBLE_EQ(device_watts(card, DevicePhase::idle).value.value(), 17);
}

TEST(DevicePower, ALimitAboveTheDemandChangesNothing) {
  // Two RTX 3090 in decode drew 617.8, 616.0 and 621.6 W together at limits of 330, 340 and 350 W: 309 W a card.
  for (const double limit : {330, 340, 350}) {
    const Banded<Watts> watts = device_watts(rtx_3090(), DevicePhase::decode, Watts(limit));
    EXPECT_DOUBLE_EQ(watts.value.value(), 315);
    EXPECT_NEAR(watts.value.value(), 309, 0.05 * 309);
  }
}

// Published board power in decode at the stock limit; `tdp` is the board's own limit, where a maker raised it that one.
// The band must hold each of these. (Over the reference TDP the 390 W and 355 W rows of the 3090 lie above it.)
struct Measured {
  const char* what;
  double tdp;
  double watts;
};
constexpr Measured kDecodeGddr[] = {
    {"RTX 3090, 370 W board, dense 27B", 370, 333},    {"RTX 3090, 390 W board, dense 27B", 390, 390},
    {"RTX 3090, 370 W board, 35B-A3B", 370, 355},      {"RTX 4090, dense 27B", 450, 394},
    {"RTX 5090, vLLM, one request", 575, 431},         {"RTX 5090, 600 W board, six requests", 600, 547},
    {"RTX 5090, 600 W board, plain decode", 600, 537}, {"RTX 5060 Ti, 7B", 180, 172.7}};

TEST(DevicePower, TheDecodeBandHoldsPublishedBoardWatts) {
  for (const Measured& row : kDecodeGddr) {
    const Banded<Watts> watts = device_watts(gpu(row.tdp, 20), DevicePhase::decode);
    EXPECT_LE(watts.low.value(), row.watts) << row.what;
    EXPECT_GE(watts.high.value(), row.watts) << row.what;
    EXPECT_NEAR(watts.value.value() / row.watts, 1, 0.21) << row.what;
  }
}

TEST(DevicePower, AnHbmCardDecodesWellBelowItsTdp) {
  // Average over prompt and decode, A100 SXM: 0.736, 0.599, 0.435 of TDP on 2, 4, 8 cards (70B), 0.635 on 8 (176B).
  const Banded<Watts> watts = device_watts(gpu(400, 55, "HBM2e"), DevicePhase::decode);
  for (const double share : {0.736, 0.5993, 0.4349, 0.6349}) {
    EXPECT_LE(watts.low.value(), share * 400);
    EXPECT_GE(watts.high.value(), share * 400);
  }
}

TEST(DevicePower, PhasesAreOrderedAndBandsAreBands) {
  for (const Device& device : {gpu(350, 17), gpu(700, 75, "HBM3"), gpu(70, 10)}) {
    double before = 0;
    for (const DevicePhase phase :
         {DevicePhase::idle, DevicePhase::resident, DevicePhase::waiting, DevicePhase::decode, DevicePhase::prefill}) {
      const Banded<Watts> watts = device_watts(device, phase);
      EXPECT_GE(watts.value.value(), before);
      EXPECT_LE(watts.low, watts.value);
      EXPECT_LE(watts.value, watts.high);
      before = watts.value.value();
    }
  }
}

TEST(DevicePower, ALimitLowersTheSustainedDrawOnly) {
  EXPECT_EQ(sustained_watts(rtx_3090(), Watts(280)), Watts(280));
  EXPECT_EQ(sustained_watts(rtx_3090(), Watts(400)), Watts(350));
  EXPECT_EQ(sustained_watts(rtx_3090()), Watts(350));
}

}  // namespace
}  // namespace oblea
