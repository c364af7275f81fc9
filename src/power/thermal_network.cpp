#include "power/thermal_network.hpp"

#include <cmath>

#include <fmt/core.h>
#include <Eigen/Dense>

#include "base/check.hpp"

namespace oblea {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using Index = Eigen::Index;

// Nodes by kind: with capacity, without, fixed; `row` is a node's place among its kind.
struct Layout {
  std::vector<int> slow, quick, fixed;
  std::vector<Index> row;
};

Layout layout_of(const ThermalNetwork& network) {
  Layout layout;
  for (std::size_t i = 0; i < network.nodes.size(); ++i) {
    const ThermalNode& node = network.nodes[i];
    std::vector<int>& kind = node.is_fixed ? layout.fixed : node.heat_capacity_j_per_k > 0 ? layout.slow : layout.quick;
    layout.row.push_back(static_cast<Index>(kind.size()));
    kind.push_back(static_cast<int>(i));
  }
  return layout;
}

// K of the whole network: K T is the heat that leaves each node.
Matrix conductances(const ThermalNetwork& network) {
  const auto n = static_cast<Index>(network.nodes.size());
  Matrix k = Matrix::Zero(n, n);
  for (const ThermalLink& link : network.links) {
    k(link.from, link.from) += link.w_per_k;
    k(link.to, link.to) += link.w_per_k;
    k(link.from, link.to) -= link.w_per_k;
    k(link.to, link.from) -= link.w_per_k;
  }
  return k;
}

Matrix part(const Matrix& k, const std::vector<int>& rows, const std::vector<int>& columns) {
  Matrix sub(static_cast<Index>(rows.size()), static_cast<Index>(columns.size()));
  for (Index r = 0; r < sub.rows(); ++r) {
    for (Index c = 0; c < sub.cols(); ++c) {
      sub(r, c) = k(rows[static_cast<std::size_t>(r)], columns[static_cast<std::size_t>(c)]);
    }
  }
  return sub;
}

Vector heats(const ThermalNetwork& network, const std::vector<int>& nodes) {
  Vector q(static_cast<Index>(nodes.size()));
  for (Index i = 0; i < q.size(); ++i)
    q(i) = network.nodes[static_cast<std::size_t>(nodes[static_cast<std::size_t>(i)])].heat_w;
  return q;
}

Vector fixed_temperatures(const ThermalNetwork& network, const Layout& layout) {
  Vector t(static_cast<Index>(layout.fixed.size()));
  for (Index i = 0; i < t.size(); ++i) {
    t(i) = network.nodes[static_cast<std::size_t>(layout.fixed[static_cast<std::size_t>(i)])].temperature_c;
  }
  return t;
}

// (1 - exp(-x)) / x, and (1 - that) / x; near 0 by their series.
double phi_one(double x) { return x < 1e-12 ? 1 - x / 2 : -std::expm1(-x) / x; }
double phi_two(double x) { return x < 1e-4 ? 0.5 - x / 6 + x * x / 24 : (1 - phi_one(x)) / x; }

// What nodes without capacity do: T = own + by_slow x T_slow.
struct Quick {
  Vector own;
  Matrix by_slow;
};

// Nodes with capacity: C dT/dt = heat - k T.
struct Slow {
  Matrix k;
  Vector heat;
  Quick quick;
};

Slow reduce(const ThermalNetwork& network, const Layout& layout) {
  const Matrix k = conductances(network);
  const Vector fixed = fixed_temperatures(network, layout);
  Slow slow;
  slow.k = part(k, layout.slow, layout.slow);
  slow.heat = heats(network, layout.slow) - part(k, layout.slow, layout.fixed) * fixed;
  if (layout.quick.empty()) {
    slow.quick.by_slow = Matrix::Zero(0, slow.k.rows());
    return slow;
  }
  const Eigen::LDLT<Matrix> quick(part(k, layout.quick, layout.quick));
  const Matrix across = part(k, layout.quick, layout.slow);
  slow.quick.own = quick.solve(heats(network, layout.quick) - part(k, layout.quick, layout.fixed) * fixed);
  slow.quick.by_slow = -quick.solve(across);
  slow.k += across.transpose() * slow.quick.by_slow;
  slow.heat -= across.transpose() * slow.quick.own;
  return slow;
}

// Temperatures of all nodes from those with capacity.
std::vector<double> spread(const ThermalNetwork& network, const Layout& layout, const Slow& slow, const Vector& at) {
  const Vector quick = layout.quick.empty() ? Vector() : Vector(slow.quick.own + slow.quick.by_slow * at);
  std::vector<double> all;
  for (std::size_t i = 0; i < network.nodes.size(); ++i) {
    const ThermalNode& node = network.nodes[i];
    const Index row = layout.row[i];
    all.push_back(node.is_fixed ? node.temperature_c : node.heat_capacity_j_per_k > 0 ? at(row) : quick(row));
  }
  return all;
}

std::string fault_of(const ThermalNetwork& network, const ThermalLink& link) {
  const int count = static_cast<int>(network.nodes.size());
  if (link.from < 0 || link.to < 0 || link.from >= count || link.to >= count || link.from == link.to)
    return fmt::format("a link joins nodes {} and {} of {}", link.from, link.to, count);
  if (!(link.w_per_k >= 0 && std::isfinite(link.w_per_k))) return fmt::format("a link of {} W/K", link.w_per_k);
  return "";
}

// Nodes that a fixed one reaches over links that conduct.
std::vector<bool> reached(const ThermalNetwork& network) {
  std::vector<bool> is_reached;
  for (const ThermalNode& node : network.nodes) is_reached.push_back(node.is_fixed);
  for (bool grows = true; grows;) {
    grows = false;
    for (const ThermalLink& link : network.links) {
      const auto from = static_cast<std::size_t>(link.from);
      const auto to = static_cast<std::size_t>(link.to);
      if (link.w_per_k <= 0 || is_reached[from] == is_reached[to]) continue;
      is_reached[from] = is_reached[to] = grows = true;
    }
  }
  return is_reached;
}

}  // namespace

Result<bool> check_network(const ThermalNetwork& network) {
  if (network.nodes.empty()) return fail("a thermal network without parts");
  for (const ThermalLink& link : network.links) {
    if (const std::string fault = fault_of(network, link); !fault.empty()) return fail(fault);
  }
  const std::vector<bool> is_reached = reached(network);
  for (std::size_t i = 0; i < network.nodes.size(); ++i) {
    const ThermalNode& node = network.nodes[i];
    if (!(node.heat_capacity_j_per_k >= 0 && std::isfinite(node.heat_capacity_j_per_k)) || !std::isfinite(node.heat_w))
      return fail(fmt::format("{}: {} J/K, {} W", node.name, node.heat_capacity_j_per_k, node.heat_w));
    if (!is_reached[i]) return fail(fmt::format("{} is joined to nothing that takes its heat", node.name));
  }
  return true;
}

std::vector<double> steady_temperatures(const ThermalNetwork& network) {
  OBLEA_CHECK(check_network(network).has_value(), "a sound network");
  ThermalNetwork quick = network;
  for (ThermalNode& node : quick.nodes) node.heat_capacity_j_per_k = 0;
  const Layout layout = layout_of(quick);
  return spread(quick, layout, reduce(quick, layout), Vector());
}

ThermalStep advance(const ThermalNetwork& network, std::span<const double> start_c, double seconds) {
  OBLEA_CHECK(check_network(network).has_value() && start_c.size() == network.nodes.size() && seconds >= 0,
              "a sound network, with a temperature for every node");
  const Layout layout = layout_of(network);
  const Slow slow = reduce(network, layout);
  const auto n = static_cast<Index>(layout.slow.size());
  Vector root(n), start(n);
  for (Index i = 0; i < n; ++i) {
    const auto node = static_cast<std::size_t>(layout.slow[static_cast<std::size_t>(i)]);
    root(i) = std::sqrt(network.nodes[node].heat_capacity_j_per_k);
    start(i) = start_c[node];
  }
  Vector end = start, mean = start;
  if (n > 0 && seconds > 0) {
    const Matrix symmetric = root.cwiseInverse().asDiagonal() * slow.k * root.cwiseInverse().asDiagonal();
    const Eigen::SelfAdjointEigenSolver<Matrix> solver(symmetric);
    const Matrix& modes = solver.eigenvectors();
    const Vector from = modes.transpose() * root.cwiseProduct(start);
    const Vector force = modes.transpose() * slow.heat.cwiseQuotient(root);
    Vector to(n), over(n);
    for (Index i = 0; i < n; ++i) {
      const double x = std::max(0.0, solver.eigenvalues()(i)) * seconds;
      to(i) = from(i) * std::exp(-x) + force(i) * seconds * phi_one(x);
      over(i) = from(i) * phi_one(x) + force(i) * seconds * phi_two(x);
    }
    end = (modes * to).cwiseQuotient(root);
    mean = (modes * over).cwiseQuotient(root);
  }
  ThermalStep step{spread(network, layout, slow, end), spread(network, layout, slow, mean),
                   std::vector<double>(network.nodes.size(), 0.0)};
  for (const ThermalLink& link : network.links) {
    const auto from = static_cast<std::size_t>(link.from);
    const auto to = static_cast<std::size_t>(link.to);
    const double joules = link.w_per_k * (step.mean_c[from] - step.mean_c[to]) * seconds;
    if (network.nodes[to].is_fixed) step.heat_taken_j[to] += joules;
    if (network.nodes[from].is_fixed) step.heat_taken_j[from] -= joules;
  }
  return step;
}

}  // namespace oblea
