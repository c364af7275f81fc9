#include "study/fit.hpp"

#include <gtest/gtest.h>

namespace oblea {
namespace {

// y = 2 + 3 t at t = 0 .. 9, one row wrong by 100.
FitProblem line(double spread) {
  FitProblem problem;
  problem.rows = 10;
  problem.prior = {0, 0};
  problem.spread = {spread, spread};
  problem.weights.assign(10, 1.0);
  problem.sigma = 0.1;
  problem.residuals = [](const std::vector<double>& x, std::vector<double>& out) {
    for (int t = 0; t < 10; ++t) out[static_cast<std::size_t>(t)] = x[0] + x[1] * t - (2 + 3 * t + (t == 4 ? 100 : 0));
  };
  return problem;
}

TEST(RobustFit, OneWildRowHardlyMovesTheLine) {
  const std::vector<double> x = robust_fit(line(1e6), {0, 0});
  EXPECT_NEAR(x[0], 2, 0.1);
  EXPECT_NEAR(x[1], 3, 0.03);
}

TEST(RobustFit, WithoutEvidenceAParameterStaysAtItsPrior) {
  FitProblem problem = line(1);
  problem.prior = {0.7, 0};
  problem.residuals = [](const std::vector<double>& x, std::vector<double>& out) {
    for (double& r : out) r = x[1] - 1;
  };
  EXPECT_NEAR(robust_fit(problem, {0.7, 0})[0], 0.7, 1e-9);
}

TEST(RobustFit, TheSameProblemGivesTheSameBits) {
  EXPECT_EQ(robust_fit(line(1e6), {0, 0}), robust_fit(line(1e6), {0, 0}));
}

}  // namespace
}  // namespace oblea
