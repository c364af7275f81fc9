#include "timing/collective.hpp"

#include <algorithm>
#include <cmath>

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

Prediction all_reduce_time(int ranks, Bytes bytes, const CollectiveLink& link) {
  OBLEA_CHECK(ranks >= 1, "a collective has at least one rank");
  OBLEA_CHECK(link.goodput.value() > 0, "a link moves bytes");
  if (ranks == 1) return {Seconds(0), Seconds(0), Seconds(0), TimingLimit::network};
  const double latency = (link.latency + link.switch_latency).value();
  const double wire = (bytes / link.goodput).value();
  const double ring = 2.0 * (ranks - 1) * latency + 2.0 * (ranks - 1) / ranks * wire;
  const double exchange = std::ceil(std::log2(ranks)) * (latency + wire);
  const double steps = is_network(link.kind) ? std::min(ring, exchange) : ring;
  return with_network_band(collective_software(link.kind).value() + steps, link.kind);
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
