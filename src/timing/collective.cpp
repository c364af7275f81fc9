#include "timing/collective.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace oblea {
namespace {

constexpr double kRpcSoftware = 2.1;  // times the wire: two measured cases, llama.cpp PR 6829 and PR 16276
constexpr double kRpcBytesPerKernel = 500;
constexpr double kRpcRoundTrips = 5;
// A ring step between GPUs. A profile's latency is that of a whole transfer, launch included, which a ring pays once
// (the software share below). Fitted to the same rows as collective_software.
constexpr Seconds kNvlinkStep{0.9e-6};
constexpr Seconds kPciePeerStep{1.8e-6};

constexpr Seconds kTcpTimeoutMin{0.2};
constexpr double kFrameBytes = 1500;
constexpr double kLostFrameChance = 1.0 / 300;  // of a frame beyond the buffer to be lost unnoticed until the timeout

Seconds step_time(const CollectiveLink& link, Bytes bytes) {
  return link.latency + link.switch_latency + bytes / link.goodput;
}

Seconds exchange_time(const CollectiveGroup& group, Bytes bytes) {
  Seconds total{};
  Seconds slowest{};
  for (const CollectiveLink& link : group.exchange) {
    total += step_time(link, bytes);
    slowest = std::max(slowest, step_time(link, bytes));
  }
  const bool power_of_two = group.ranks == 1 << group.exchange.size();
  return power_of_two ? total : total + slowest * 2.0;
}

bool is_network(LinkClass kind) { return kind == LinkClass::tcp || kind == LinkClass::rdma; }

// Measured small collectives lie within these factors of the formula (88 rows of nccl-tests and torch profiles; TCP:
// two sources).
Prediction with_network_band(double seconds, LinkClass kind) {
  const double low = kind == LinkClass::tcp ? 0.65 : 0.6;
  const double high = kind == LinkClass::tcp ? 1.6 : 1.9;
  return {Seconds(seconds), Seconds(seconds * low), Seconds(seconds * high), TimingLimit::network};
}

}  // namespace

CollectiveLink make_collective_link(const Nic& nic, bool want_rdma, Seconds switch_latency) {
  const bool rdma = want_rdma && nic.rdma_latency && nic.rdma_goodput;
  if (rdma) return {LinkClass::rdma, nic.rdma_latency->value, nic.rdma_goodput->value, switch_latency};
  return {LinkClass::tcp, nic.tcp_latency.value, nic.goodput.value, switch_latency};
}

CollectiveLink make_collective_link(LinkClass kind, Seconds latency, BytesPerSecond goodput) {
  if (kind == LinkClass::nvlink) latency = std::min(latency, kNvlinkStep);
  if (kind == LinkClass::pcie_peer) latency = std::min(latency, kPciePeerStep);
  return {kind, latency, goodput, Seconds(0)};
}

Seconds collective_software(LinkClass kind) {
  switch (kind) {
    case LinkClass::nvlink:
      return Seconds(5.5e-6);
    case LinkClass::pcie_peer:
      return Seconds(4e-6);
    case LinkClass::pcie_host_bounce:
      return Seconds(8e-6);
    case LinkClass::rdma:
      return Seconds(5e-6);
    case LinkClass::tcp:
      return Seconds(20e-6);
  }
  return Seconds(20e-6);
}

CollectiveGroup make_collective_group(int ranks, const CollectiveLink& link) {
  OBLEA_CHECK(ranks >= 1, "a collective has at least one rank");
  CollectiveGroup group{ranks, link, {}, link, link, Bytes(0)};
  for (int apart = 1; 2 * apart <= ranks; apart *= 2) group.exchange.push_back(link);
  group.star_out.goodput = group.star_in.goodput = link.goodput / std::max(1, ranks - 1);
  return group;
}

Prediction all_reduce_time(const CollectiveGroup& group, Bytes bytes) {
  OBLEA_CHECK(group.ranks >= 1, "a collective has at least one rank");
  if (group.ranks == 1) return {Seconds(0), Seconds(0), Seconds(0), TimingLimit::network};
  const CollectiveLink& link = group.ring;
  OBLEA_CHECK(link.goodput.value() > 0, "a link moves bytes");
  const double others = group.ranks - 1;
  const Seconds ring =
      (link.latency + link.switch_latency) * (2 * others) + bytes / link.goodput * (2 * others / group.ranks);
  const Seconds steps = is_network(link.kind) ? std::min(ring, exchange_time(group, bytes)) : ring;
  return with_network_band((collective_software(link.kind) + steps).value(), link.kind);
}

Prediction all_reduce_time(int ranks, Bytes bytes, const CollectiveLink& link) {
  return all_reduce_time(make_collective_group(ranks, link), bytes);
}

Prediction star_sync_time(const CollectiveGroup& group, Bytes bytes) {
  if (group.ranks == 1) return {Seconds(0), Seconds(0), Seconds(0), TimingLimit::network};
  Seconds time =
      collective_software(group.star_out.kind) + step_time(group.star_out, bytes) + step_time(group.star_in, bytes);
  const Bytes burst = bytes * (group.ranks - 1);
  if (group.port_buffer.value() > 0 && burst > group.port_buffer) {
    const double frames = (burst - group.port_buffer).value() / kFrameBytes;
    time += kTcpTimeoutMin * std::min(1.0, frames * kLostFrameChance);
  }
  return with_network_band(time.value(), group.star_out.kind);
}

Prediction pipeline_hop_time(Bytes bytes, const CollectiveLink& link) {
  OBLEA_CHECK(link.goodput.value() > 0, "a link moves bytes");
  const double seconds = collective_software(link.kind).value() / 2 + (link.latency + link.switch_latency).value() +
                         (bytes / link.goodput).value();
  return with_network_band(seconds, link.kind);
}

Prediction rpc_overhead(double kernels, double vocabulary, double hidden, const CollectiveLink& link) {
  const double bytes = kernels * kRpcBytesPerKernel + vocabulary * 4 + hidden * 4 * 2;
  const double seconds =
      kRpcSoftware * bytes / link.goodput.value() + 2 * kRpcRoundTrips * (link.latency + link.switch_latency).value();
  return with_network_band(seconds, LinkClass::tcp);
}

}  // namespace oblea
