// A million requests stay under 300 MB, in the parent and in the child.
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>

#include <gtest/gtest.h>

#include "support/engine_plans.hpp"

namespace oblea {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kIsSanitized = true;  // which keeps what is freed
#else
constexpr bool kIsSanitized = false;
#endif

double peak_mb(int who) {
  rusage usage{};
  getrusage(who, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

constexpr double kMostMb = 300;

// Ends the process: 0 where neither it nor the run's child ever held more than they may.
void play_a_million() {
  EnginePlan plan = test::plan_of({test::constant_stage(1e-3, 1e-6)}, 64, 1e6);
  plan.serving.block_tokens = 16;
  EngineRequests requests;
  requests.requests.reserve(1000000);
  for (int i = 0; i < 1000000; ++i) requests.requests.push_back(test::request_of(i * 1e-3, 100 + i % 300, 5 + i % 10));
  const EngineResult result = test::run_plan(plan, requests);
  const double parent = peak_mb(RUSAGE_SELF);
  const double child = peak_mb(RUSAGE_CHILDREN);
  std::fprintf(stderr, "%zu requests: %.0f MB in the parent, %.0f in the child", result.requests.size(), parent, child);
  std::exit(result.requests.size() == requests.requests.size() && parent < kMostMb && child < kMostMb ? 0 : 1);
}

// A request is 24 bytes and its result 48; the child shares the requests with its parent. In a process of its own: the
// peak of one that has run other tests is theirs.
TEST(EngineMemory, AMillionRequestsTakeUnder300Megabytes) {
  if (kIsSanitized) GTEST_SKIP() << "the sanitizer's own memory would be measured";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(play_a_million(), testing::ExitedWithCode(0), "1000000 requests");
}

}  // namespace
}  // namespace oblea
