// A small robust least-squares fit (Levenberg-Marquardt, Huber loss) with a prior on every parameter. The only user of
// Eigen.
#pragma once

#include <functional>
#include <vector>

namespace oblea {

struct FitProblem {
  int rows = 0;
  std::vector<double> prior;    // of each parameter
  std::vector<double> spread;   // standard deviation of the parameter around its prior
  std::vector<double> weights;  // of each row
  double sigma = 0.1;           // residual that counts as one
  // Writes one residual a row for these parameters.
  std::function<void(const std::vector<double>&, std::vector<double>&)> residuals;
};

// Minimises sum w huber(r / sigma) + sum ((x - prior) / spread)^2 from `start`. Derivatives by differences of 1e-4.
// Deterministic.
std::vector<double> robust_fit(const FitProblem& problem, std::vector<double> start);

}  // namespace oblea
