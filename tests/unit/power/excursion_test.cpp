#include "power/excursion.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "parts.hpp"

namespace oblea {
namespace {

TEST(Excursion, ACapDoesNotLowerWhatIsShorterThanAMillisecond) {
  const Device card = parts::clocked_3090();
  const PowerControl cap{Watts(280), {}};
  EXPECT_NEAR(excursion_watts(card, ExcursionSpan::below_1ms, cap).value.value(), 480, 1e-9);
  // excess to 10 ms: 0.36 x (480 / 350 - 1) / 0.47 = 0.2845; half of the cap's cut: x 0.9
  EXPECT_NEAR(excursion_watts(card, ExcursionSpan::to_10ms, cap).value.value(), 1.2845 * 350 * 0.9, 0.1);
  EXPECT_NEAR(excursion_watts(card, ExcursionSpan::to_20ms, cap).value.value(), 300, 0.5);
}

TEST(Excursion, AClockLockLowersEverySpan) {
  const Device card = parts::clocked_3090();
  const PowerControl lock{{}, Hertz(1550e6)};
  EXPECT_NEAR(excursion_watts(card, ExcursionSpan::below_1ms, lock).value.value(), 309, 1);
  for (const ExcursionSpan span : kExcursionSpans)
    EXPECT_LT(excursion_watts(card, span, lock).value, excursion_watts(card, span, {}).value);
}

TEST(Excursion, FewOfManyIndependentCardsPeakAtOnce) {
  // P(at most 1 of 4) = 0.8145 + 0.1715 = 0.9860, at most 2: 0.9995. P(at most 2 of 8) = 0.9942, at most 3: 0.9996.
  EXPECT_EQ(peaking_together(0), 0);
  EXPECT_EQ(peaking_together(1), 1);
  EXPECT_EQ(peaking_together(4), 2);
  EXPECT_EQ(peaking_together(8), 3);
}

TEST(Excursion, PeaksInStepAddAndOthersDoNot) {
  const std::vector<CardPeak> cards(4, {Watts(350), Watts(480)});
  EXPECT_EQ(aligned_peak(cards), Watts(1920));
  EXPECT_EQ(independent_peak(cards), Watts(1660));
  EXPECT_EQ(independent_peak({}), Watts(0));
}

}  // namespace
}  // namespace oblea
