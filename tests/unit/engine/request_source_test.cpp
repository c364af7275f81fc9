#include "engine/request_source.hpp"

#include <climits>
#include <cmath>

#include <gtest/gtest.h>

#include "support/engine_plans.hpp"

namespace oblea {
namespace {

using test::request_of;

EngineRequests requests_at(const std::vector<double>& arrivals) {
  EngineRequests requests;
  for (const double at_s : arrivals) requests.requests.push_back(request_of(at_s, 1, 1));
  return requests;
}

TEST(RequestSource, GivesRequestsByArrivalAndInTheOrderOfTheListAtOneTime) {
  const EngineRequests requests = requests_at({3, 1, 3, 0.5});
  RequestSource source(requests);
  EXPECT_EQ(source.next_arrival_s(), 0.5);
  EXPECT_EQ(source.take(0.4), -1);
  EXPECT_EQ(source.take(1), 3);
  EXPECT_EQ(source.take(1), 1);
  EXPECT_EQ(source.take(1), -1);
  EXPECT_EQ(source.take(3), 0);
  EXPECT_FALSE(source.is_over());
  EXPECT_EQ(source.take(3), 2);
  EXPECT_TRUE(source.is_over());
  EXPECT_TRUE(std::isinf(source.next_arrival_s()));
}

// Two users, 0.5 s of thought: the third request is sent 0.5 s after the first answer, the fourth after the second.
TEST(RequestSource, UsersOfAClosedLoopThinkAndAskAgain) {
  EngineRequests requests = requests_at({9, 9, 9, 9});
  requests.closed_users = 2;
  requests.think_s = 0.5;
  RequestSource source(requests);
  EXPECT_EQ(source.take(0), 0);
  EXPECT_EQ(source.take(0), 1);
  EXPECT_EQ(source.take(0), -1);
  EXPECT_TRUE(std::isinf(source.next_arrival_s()));
  EXPECT_FALSE(source.is_over());
  source.ended(2);
  source.ended(2.25);
  EXPECT_EQ(source.next_arrival_s(), 2.5);
  EXPECT_EQ(source.take(2.5), 2);
  EXPECT_EQ(source.arrival_s(2), 2.5);
  EXPECT_EQ(source.take(2.5), -1);
  EXPECT_EQ(source.take(2.75), 3);
  EXPECT_TRUE(source.is_over());
  source.ended(4);  // nothing is left to ask
  EXPECT_TRUE(source.is_over());
}

TEST(RequestSource, MoreUsersThanRequestsAskOnceEach) {
  EngineRequests requests = requests_at({0, 0});
  requests.closed_users = INT_MAX;
  RequestSource source(requests);
  EXPECT_EQ(source.take(0), 0);
  EXPECT_EQ(source.take(0), 1);
  EXPECT_TRUE(source.is_over());
}

}  // namespace
}  // namespace oblea
