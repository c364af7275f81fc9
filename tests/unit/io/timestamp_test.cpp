#include "io/timestamp.hpp"

#include <gtest/gtest.h>

namespace oblea {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

// As `date -u -d ... +%s` says: 1,700,158,546 and 1,715,472,010.
TEST(Timestamp, IsNanosecondsSince1970) {
  EXPECT_EQ(parse_timestamp_ns("1970-01-01 00:00:00"), 0);
  EXPECT_EQ(parse_timestamp_ns("2023-11-16 18:15:46.6805900"), 1'700'158'546 * kSecond + 680'590'000);
  EXPECT_EQ(parse_timestamp_ns("2024-05-12 00:00:10+00:00"), 1'715'472'010 * kSecond);
  EXPECT_EQ(parse_timestamp_ns("2024-02-29T23:59:59Z"), 1'709'251'199 * kSecond);
  EXPECT_EQ(parse_timestamp_ns("1970-01-01 00:00:00.1234567899"), 123'456'789);
}

TEST(Timestamp, CountsItsZone) {
  EXPECT_EQ(parse_timestamp_ns("1970-01-02 00:00:01.5+01:00"), 82'801 * kSecond + kSecond / 2);
  EXPECT_EQ(parse_timestamp_ns("1970-01-01 00:00:00-0530"), 19'800 * kSecond);
  EXPECT_EQ(parse_timestamp_ns("1970-01-01 02:00:00+02"), 0);
}

TEST(Timestamp, IsNothingElse) {
  for (const char* text : {"", "2023-11-16", "16.11.2023 18:15:46", "2023-11-16 18:15", "2023-11-16 24:00:00",
                           "2023-02-29 00:00:00", "2023-13-01 00:00:00", "2023-11-16 18:15:46.", "2023-11-16 18:15:46 ",
                           "2023-11-16 18:15:46+1", "2023-11-16 18:15:46+01:00x", "2023-11-16x18:15:46",
                           "1969-12-31 00:00:00", "2201-01-01 00:00:00", "2023-11-16 18:15:-6", "1700158546"}) {
    EXPECT_EQ(parse_timestamp_ns(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace oblea
