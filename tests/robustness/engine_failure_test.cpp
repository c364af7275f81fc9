// A run that dies in its child: the caller learns why, keeps what it had, and can go on to the next run.
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <limits>
#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/engine_plans.hpp"

namespace oblea {
namespace {

using ::testing::HasSubstr;

EngineRequests three_requests() {
  EngineRequests requests;
  for (int i = 0; i < 3; ++i) requests.requests.push_back(test::request_of(0.01 * i, 20, 10));
  return requests;
}

// `act` is called in the child, whenever a prompt is read.
EnginePlan plan_that(double (*act)()) {
  EnginePlan plan = test::plan_of({test::constant_stage(1e-3)}, 4);
  plan.stages[0].prefill_s = [act](double, double) { return act(); };
  return plan;
}

double be_killed() {
  ::raise(SIGKILL);
  return 1e-3;
}

double crash() {
  ::signal(SIGSEGV, SIG_DFL);  // whatever a sanitizer makes of it
  ::raise(SIGSEGV);
  return 1e-3;
}

double run_in_circles() {
  for (volatile unsigned turns = 0;; ++turns) {
  }
}

double take_memory() {
  std::vector<std::unique_ptr<char[]>> taken;
  for (;;) taken.push_back(std::make_unique<char[]>(64 << 20));
}

double leave() { ::_exit(0); }

double throw_something() { throw 7; }

std::string verdict_on(const EnginePlan& plan, const EngineOptions& options = {}) {
  const Result<EngineResult> result = run_engine(plan, three_requests(), options);
  return result ? "it ended well" : print_diagnostics(result.error());
}

TEST(EngineFailure, EachEndHasItsWords) {
  EXPECT_THAT(verdict_on(plan_that(be_killed)), HasSubstr("the run was killed"));
  EXPECT_THAT(verdict_on(plan_that(crash)), HasSubstr("ended by signal 11"));
  EXPECT_THAT(verdict_on(plan_that(leave)), HasSubstr("ended without a result"));
  EXPECT_THAT(verdict_on(plan_that(throw_something)), HasSubstr("ended without a result"));
}

TEST(EngineFailure, ARunInCirclesIsStoppedByItsLimitAndSaysSo) {
  EngineOptions options;
  options.limits.cpu_seconds = 1;
  EXPECT_THAT(verdict_on(plan_that(run_in_circles), options), HasSubstr("computed for 1 s without an end"));
}

TEST(EngineFailure, ARunWithoutMemorySaysSo) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the sanitizer's own address space is larger than any limit";
#endif
  EngineOptions options;
  options.limits.memory_bytes = 2e9;
  EXPECT_THAT(verdict_on(plan_that(take_memory), options), HasSubstr("the run is out of memory"));
}

TEST(EngineFailure, ATimeThatIsNoneNamesItsStage) {
  for (const double wrong : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), -1.0}) {
    for (const bool step_by_step : {false, true}) {
      for (const int groups : {1, 2}) {
        EnginePlan plan = test::plan_of({test::constant_stage(1e-3), test::constant_stage(1e-3)}, 4);
        plan.serving.micro_batches = groups;
        plan.stages[1].name = "card 2";
        plan.stages[1].prefill_s = [wrong](double, double) { return wrong; };
        EXPECT_THAT(verdict_on(plan, {step_by_step, false, {}}), HasSubstr("stage card 2 takes"));
        plan.stages[1] = test::constant_stage(1e-3);
        plan.stages[1].collective_s = [wrong](double tokens) { return tokens > 1 ? wrong : 0; };
        EXPECT_THAT(verdict_on(plan, {step_by_step, false, {}}), HasSubstr("s for a pass of 20 tokens"));
      }
    }
  }
}

TEST(EngineFailure, ProgressEndsWithOneWhateverHappens) {
  for (const bool dies : {false, true}) {
    EngineRequests requests;
    for (int i = 0; i < 199; ++i) requests.requests.push_back(test::request_of(0.01 * i, 1, 3));
    std::vector<double> shares;
    EngineOptions options;
    options.progress = [&](double share) { shares.push_back(share); };
    EXPECT_EQ(run_engine(dies ? plan_that(be_killed) : test::plan_of({test::constant_stage(1e-3)}), requests, options)
                  .has_value(),
              !dies);
    ASSERT_FALSE(shares.empty());
    EXPECT_EQ(shares.back(), 1);
    EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
  }
}

std::ptrdiff_t count_descriptors() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), std::filesystem::directory_iterator{});
}

TEST(EngineFailure, TwoHundredRunsLeaveNothingBehind) {
  const std::ptrdiff_t before = count_descriptors();
  const EnginePlan healthy = test::plan_of({test::constant_stage(1e-3)}, 4);
  const EnginePlan dying = plan_that(be_killed);
  for (int run = 0; run < 200; ++run) {
    EXPECT_EQ(run_engine(run % 2 == 0 ? healthy : dying, three_requests(), {}).has_value(), run % 2 == 0);
  }
  EXPECT_EQ(count_descriptors(), before);
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);  // no child is left, alive or dead
  EXPECT_EQ(errno, ECHILD);
}

// What a dying run had begun costs the next one nothing.
TEST(EngineFailure, TheNextRunIsWhatItWouldHaveBeen) {
  const EnginePlan healthy = test::plan_of({test::constant_stage(1e-3)}, 4);
  const double before = test::run_plan(healthy, three_requests()).end_s;
  verdict_on(plan_that(crash));
  EXPECT_EQ(test::run_plan(healthy, three_requests()).end_s, before);
}

// Whoever asked is gone: the run must not compute on for nobody.
TEST(EngineFailure, ARunEndsWithItsParent) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t parent = ::fork();
  if (parent == 0) {
    ::close(ends[0]);
    verdict_on(plan_that([]() -> double { return ::sleep(20); }));  // the run keeps the pipe's other end open
    ::_exit(0);
  }
  ::close(ends[1]);
  ::usleep(200000);  // until the run is on its way; ended earlier, the test says nothing and passes
  ::kill(parent, SIGKILL);
  ::waitpid(parent, nullptr, 0);
  pollfd end{ends[0], POLLIN, 0};
  EXPECT_EQ(::poll(&end, 1, 10000), 1) << "somebody still holds the other end";
  EXPECT_NE(end.revents & POLLHUP, 0);
  ::close(ends[0]);
}

}  // namespace
}  // namespace oblea
