// Transfers on SimGrid against max-min fairness as the textbook fills it: all rates rise together; who meets a full
// resource, or a rate of its own, stops (Bertsekas and Gallager, Data Networks, 6.5.2).
#include "engine/transfers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <boost/random/uniform_int_distribution.hpp>
#include <boost/random/uniform_real_distribution.hpp>

#include "base/random.hpp"

namespace oblea {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

std::vector<double> fair_rates(const TransferPlan& plan, const std::vector<std::size_t>& flows) {
  std::vector<double> rates(plan.transfers.size(), 0);
  std::vector<double> room;
  for (const SharedResource& resource : plan.resources) room.push_back(resource.bytes_per_s);
  std::vector<std::size_t> rising = flows;
  while (!rising.empty()) {
    std::vector<int> users(plan.resources.size(), 0);
    for (const std::size_t f : rising)
      for (const int r : plan.transfers[f].path) ++users[static_cast<std::size_t>(r)];
    double rise = kNever;
    for (std::size_t r = 0; r < room.size(); ++r)
      if (users[r] > 0) rise = std::min(rise, room[r] / users[r]);
    for (const std::size_t f : rising) {
      const double own = plan.transfers[f].rate_max_per_s;
      if (own > 0) rise = std::min(rise, own - rates[f]);
    }
    for (const std::size_t f : rising) {
      rates[f] += rise;
      for (const int r : plan.transfers[f].path) room[static_cast<std::size_t>(r)] -= rise;
    }
    std::erase_if(rising, [&](std::size_t f) {
      const Transfer& transfer = plan.transfers[f];
      const bool held = transfer.rate_max_per_s > 0 && rates[f] >= transfer.rate_max_per_s * (1 - 1e-13);
      return held || std::any_of(transfer.path.begin(), transfer.path.end(), [&](int r) {
               const auto at = static_cast<std::size_t>(r);
               return room[at] <= plan.resources[at].bytes_per_s * 1e-13;
             });
    });
  }
  return rates;
}

// Event by event: the next start or the next end.
std::vector<double> fair_ends(const TransferPlan& plan) {
  const std::size_t count = plan.transfers.size();
  std::vector<double> start(count, kNever), left(count), ends(count, kNever);
  const auto set_start = [&](std::size_t i, double from) {
    start[i] = from + plan.transfers[i].delay_s;
    for (const int r : plan.transfers[i].path) start[i] += plan.resources[static_cast<std::size_t>(r)].latency_s;
  };
  for (std::size_t i = 0; i < count; ++i) {
    left[i] = plan.transfers[i].bytes;
    if (plan.transfers[i].after < 0) set_start(i, 0);
  }
  double now = 0;
  for (;;) {
    std::vector<std::size_t> flows;
    double next = kNever;
    for (std::size_t i = 0; i < count; ++i) {
      if (ends[i] < kNever) continue;
      if (start[i] <= now)
        flows.push_back(i);
      else
        next = std::min(next, start[i]);
    }
    const std::vector<double> rates = fair_rates(plan, flows);
    std::size_t first = count;
    for (const std::size_t f : flows) {
      if (now + left[f] / rates[f] > next) continue;
      next = now + left[f] / rates[f];
      first = f;
    }
    if (next == kNever) return ends;
    for (const std::size_t f : flows) left[f] = f == first ? 0 : std::max(0.0, left[f] - rates[f] * (next - now));
    now = next;
    for (const std::size_t f : flows) {
      if (left[f] > plan.transfers[f].bytes * 1e-13) continue;
      ends[f] = now;
      for (std::size_t i = 0; i < count; ++i)
        if (plan.transfers[i].after == static_cast<int>(f)) set_start(i, now);
    }
  }
}

TransferPlan random_plan(std::uint64_t seed) {
  RandomStream stream = make_random_stream(seed, "transfers");
  const auto pick = [&](int low, int high) { return boost::random::uniform_int_distribution<int>(low, high)(stream); };
  const auto draw = [&](double low, double high) {
    return boost::random::uniform_real_distribution<double>(low, high)(stream);
  };
  TransferPlan plan;
  const int resources = pick(1, 6);
  for (int r = 0; r < resources; ++r)
    plan.resources.push_back({"resource", std::pow(10, draw(7, 10)), pick(0, 1) * draw(0, 0.01)});
  const int transfers = pick(1, 12);
  for (int i = 0; i < transfers; ++i) {
    Transfer transfer;
    transfer.name = "transfer";
    transfer.bytes = std::round(std::pow(10, draw(6, 10)));
    for (int r = 0; r < resources; ++r)
      if (pick(0, 2) == 0) transfer.path.push_back(r);
    if (transfer.path.empty()) transfer.path.push_back(pick(0, resources - 1));
    if (pick(0, 3) == 0) transfer.rate_max_per_s = std::pow(10, draw(6, 9));
    if (i > 0 && pick(0, 2) == 0) transfer.after = pick(0, i - 1);
    if (pick(0, 2) == 0) transfer.delay_s = draw(0, 2);
    plan.transfers.push_back(transfer);
  }
  return plan;
}

TEST(TransfersProperty, EveryEndIsThatOfWaterFilling) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const TransferPlan plan = random_plan(seed);
    const Result<TransferTimes> times = run_transfers(plan);
    ASSERT_TRUE(times) << "seed " << seed;
    const std::vector<double> ends = fair_ends(plan);
    for (std::size_t i = 0; i < ends.size(); ++i)
      EXPECT_NEAR(times->end_s[i], ends[i], 1e-9 * std::max(1.0, ends[i])) << "seed " << seed << " transfer " << i;
    if (HasFailure()) return;
  }
}

// What a resource carried is what went over it, and no more than its rate allows while anything moved.
TEST(TransfersProperty, BytesAreConserved) {
  for (std::uint64_t seed = 1001; seed <= 1100; ++seed) {
    const TransferPlan plan = random_plan(seed);
    const TransferTimes times = run_transfers(plan).value();
    for (std::size_t r = 0; r < plan.resources.size(); ++r) {
      double bytes = 0, first = kNever, last = 0;
      for (std::size_t i = 0; i < plan.transfers.size(); ++i) {
        const std::vector<int>& path = plan.transfers[i].path;
        if (std::find(path.begin(), path.end(), static_cast<int>(r)) == path.end()) continue;
        bytes += plan.transfers[i].bytes;
        first = std::min(first, times.begin_s[i]);
        last = std::max(last, times.end_s[i]);
      }
      EXPECT_EQ(times.bytes[r], bytes) << "seed " << seed;
      if (bytes > 0) EXPECT_LE(bytes, plan.resources[r].bytes_per_s * (last - first) * (1 + 1e-9)) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace oblea
