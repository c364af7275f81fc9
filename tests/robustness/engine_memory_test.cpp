// A million requests stay under 300 MB, in the parent and in the child.
#include <sys/resource.h>

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

// A request is 24 bytes and its result 48; the child shares the requests with its parent.
TEST(EngineMemory, AMillionRequestsTakeUnder300Megabytes) {
  if (kIsSanitized) GTEST_SKIP() << "the sanitizer's own memory would be measured";
  EnginePlan plan = test::plan_of({test::constant_stage(1e-3, 1e-6)}, 64, 1e6);
  plan.serving.block_tokens = 16;
  EngineRequests requests;
  requests.requests.reserve(1000000);
  for (int i = 0; i < 1000000; ++i) requests.requests.push_back(test::request_of(i * 1e-3, 100 + i % 300, 5 + i % 10));
  const EngineResult result = test::run_plan(plan, requests);
  EXPECT_EQ(result.requests.size(), requests.requests.size());
  EXPECT_LT(peak_mb(RUSAGE_SELF), 300);
  EXPECT_LT(peak_mb(RUSAGE_CHILDREN), 300);
}

}  // namespace
}  // namespace oblea
