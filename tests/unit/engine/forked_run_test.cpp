#include "engine/forked_run.hpp"

#include <unistd.h>

#include <csignal>
#include <new>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "base/check.hpp"

namespace oblea {
namespace {

std::string why(const std::function<std::string(const Progress&)>& body) {
  const Result<std::string> result = run_forked(body);
  return result ? "no failure" : result.error()[0].message;
}

TEST(ForkedRun, HandsBackBytesAndProgress) {
  const std::string bytes("p\0r\xff", 4);  // letters that the wire uses too
  std::vector<double> shares;
  const Result<std::string> result = run_forked(
      [&](const Progress& progress) {
        progress(0.25);
        progress(0.5);
        return bytes;
      },
      [&](double share) { shares.push_back(share); });
  ASSERT_TRUE(result);
  EXPECT_EQ(*result, bytes);
  EXPECT_EQ(shares, (std::vector<double>{0.25, 0.5, 1})) << "1 comes last, of itself";
}

TEST(ForkedRun, ABodyMayTellThoughNobodyListens) {
  const Result<std::string> result = run_forked([](const Progress& progress) {
    progress(0.5);
    return std::string(1 << 20, 'x');  // more than a pipe holds
  });
  ASSERT_TRUE(result);
  EXPECT_EQ(*result, std::string(1 << 20, 'x'));
}

TEST(ForkedRun, WhatHappensInTheChildStaysThere) {
  int here = 1;
  ASSERT_TRUE(run_forked([&](const Progress&) {
    here = 2;
    return std::string();
  }));
  EXPECT_EQ(here, 1);
}

TEST(ForkedRun, EveryEndHasItsWords) {
  EXPECT_EQ(why([](const Progress&) -> std::string { throw std::bad_alloc(); }), "the run is out of memory");
  EXPECT_EQ(why([](const Progress&) -> std::string { throw std::runtime_error("no such day"); }),
            "the run stopped: no such day");
  EXPECT_EQ(why([](const Progress&) -> std::string { ::_exit(0); }), "the run ended without a result");
  EXPECT_EQ(why([](const Progress&) -> std::string {
              ::raise(SIGKILL);
              return "";
            }),
            "the run was killed, perhaps for want of memory");
  EXPECT_EQ(why([](const Progress&) -> std::string {
              OBLEA_CHECK(false, "a test's own");
              return "";
            }),
            "the run stopped at a check that failed: a fault of oblea");
  EXPECT_NE(why([](const Progress&) -> std::string {
              ::raise(SIGTERM);
              return "";
            }).find("signal 15"),
            std::string::npos);
}

}  // namespace
}  // namespace oblea
