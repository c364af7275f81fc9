#include "study/fit.hpp"

#include <cmath>

#include <Eigen/Dense>

namespace oblea {
namespace {

constexpr double kHuber = 1.5;  // residuals, in sigma, beyond which the loss grows linearly
constexpr double kStep = 1e-4;  // of the difference quotient; parameters are logarithms
constexpr int kIterations = 30;
constexpr double kTolerance = 1e-7;  // relative gain that ends the search

double cost_of(const FitProblem& problem, const std::vector<double>& x, const std::vector<double>& residuals) {
  double cost = 0;
  for (std::size_t i = 0; i < residuals.size(); ++i) {
    const double r = std::abs(residuals[i] / problem.sigma);
    cost += problem.weights[i] * (r < kHuber ? r * r : 2 * kHuber * r - kHuber * kHuber);
  }
  for (std::size_t j = 0; j < x.size(); ++j) {
    const double d = (x[j] - problem.prior[j]) / problem.spread[j];
    cost += d * d;
  }
  return cost;
}

struct Normal {
  Eigen::MatrixXd matrix;
  Eigen::VectorXd gradient;
};

Normal normal_equations(const FitProblem& problem, const std::vector<double>& x, const std::vector<double>& residuals) {
  const auto n = static_cast<Eigen::Index>(x.size());
  const auto m = static_cast<Eigen::Index>(residuals.size());
  Eigen::MatrixXd jacobian(m, n);
  std::vector<double> moved = x;
  std::vector<double> changed(residuals.size());
  for (Eigen::Index j = 0; j < n; ++j) {
    const auto column = static_cast<std::size_t>(j);
    moved[column] = x[column] + kStep;
    problem.residuals(moved, changed);
    moved[column] = x[column];
    for (Eigen::Index i = 0; i < m; ++i) {
      jacobian(i, j) = (changed[static_cast<std::size_t>(i)] - residuals[static_cast<std::size_t>(i)]) / kStep;
    }
  }
  Eigen::VectorXd weight(m);
  Eigen::VectorXd r(m);
  for (Eigen::Index i = 0; i < m; ++i) {
    const auto row = static_cast<std::size_t>(i);
    const double size = std::abs(residuals[row] / problem.sigma);
    weight(i) = problem.weights[row] * (size < kHuber ? 1.0 : kHuber / size) / (problem.sigma * problem.sigma);
    r(i) = residuals[row];
  }
  Normal normal;
  normal.matrix = jacobian.transpose() * weight.asDiagonal() * jacobian;
  normal.gradient = -(jacobian.transpose() * weight.cwiseProduct(r));
  for (Eigen::Index j = 0; j < n; ++j) {
    const auto column = static_cast<std::size_t>(j);
    const double precision = 1 / (problem.spread[column] * problem.spread[column]);
    normal.matrix(j, j) += precision;
    normal.gradient(j) -= precision * (x[column] - problem.prior[column]);
  }
  return normal;
}

}  // namespace

std::vector<double> robust_fit(const FitProblem& problem, std::vector<double> x) {
  std::vector<double> residuals(static_cast<std::size_t>(problem.rows));
  problem.residuals(x, residuals);
  double cost = cost_of(problem, x, residuals);
  double damping = 1e-2;
  std::vector<double> tried(residuals.size());
  for (int iteration = 0; iteration < kIterations; ++iteration) {
    const Normal normal = normal_equations(problem, x, residuals);
    bool improved = false;
    double gain = 0;
    for (int attempt = 0; attempt < 10 && !improved; ++attempt) {
      Eigen::MatrixXd matrix = normal.matrix;
      matrix.diagonal() *= 1 + damping;
      const Eigen::VectorXd step = matrix.ldlt().solve(normal.gradient);
      std::vector<double> next = x;
      for (std::size_t j = 0; j < next.size(); ++j) next[j] += step(static_cast<Eigen::Index>(j));
      problem.residuals(next, tried);
      const double next_cost = cost_of(problem, next, tried);
      if (next_cost < cost) {
        gain = cost - next_cost;
        x = std::move(next);
        residuals = tried;
        cost = next_cost;
        damping = std::max(damping / 5, 1e-9);
        improved = true;
      } else {
        damping *= 5;
      }
    }
    if (!improved || gain < kTolerance * cost) break;
  }
  return x;
}

}  // namespace oblea
