// Collectives and hops: how long activations take between devices.
//
// Scope: small and medium messages of tensor and pipeline parallel inference. Limits: no congestion, no mixed links in
// one ring (the slowest link stands for all), switches add their own latency to the link's.
#pragma once

#include "hardware/network.hpp"
#include "timing/prediction.hpp"
#include "units/quantity.hpp"

namespace oblea {

enum class LinkClass { nvlink, pcie_peer, pcie_host_bounce, rdma, tcp };

struct CollectiveLink {
  LinkClass kind = LinkClass::tcp;
  Seconds latency{};         // one way, small message
  BytesPerSecond goodput{};  // one direction
  Seconds switch_latency{};  // of all switches on the way together
};

// RDMA is used where the NIC has it and `want_rdma` is set.
CollectiveLink make_collective_link(const Nic& nic, bool want_rdma, Seconds switch_latency = {});

// A link of this class as a topology's route gives it: `latency` of a whole transfer, launch included. A ring pays the
// launch once, in collective_software, so a step between GPUs takes at most 0.9 us over NVLink and 1.8 us peer to peer
// over PCIe.
CollectiveLink make_collective_link(LinkClass kind, Seconds latency, BytesPerSecond goodput);

// What launching and completing one collective costs on both ends, besides the wire. Fitted by eye to nccl-tests of 2
// to 8 GPUs (aiconfigurator systems/*.yaml @095f58a): 8 kB take 6.7 to 26 us over NVLink, 7.5 to 32 us over PCIe; TCP
// 45 to 95 us between two nodes.
Seconds collective_software(LinkClass kind);

// Ring: software + 2 (n - 1) x latency + 2 (n - 1) / n x bytes / goodput. Over a network the cheaper of the ring and of
// pairwise exchange, ceil(log2 n) x (latency + bytes / goodput), both ends sending at once.
// Example: 2 nodes, 16,384 B over 1 GbE (74 us, 117 MB/s): 20 + 74 + 140 = 234 us; a ring would take 20 + 148 + 140.
// Example: 4 H200 over NVLink (0.9 us, 450 GB/s), 16,384 B: 5.5 + 6 x 0.9 + 0.05 = 10.95 us (measured 10.9).
Prediction all_reduce_time(int ranks, Bytes bytes, const CollectiveLink& link);

// One activation to the next stage: software / 2 + latency + bytes / goodput.
// Example: 16,384 B over 1 GbE: 10 + 74 + 140 = 224 us.
Prediction pipeline_hop_time(Bytes bytes, const CollectiveLink& link);

// What llama.cpp's RPC back end adds to a token for every remote device, besides that device's own work: the graph is
// sent anew (about 500 B a kernel), logits and activations come back, and the server's copies cost as much again as the
// wire. Example (TinyLlama, 376 kernels, 32,000 words, hidden 2048, 1 GbE): 2.1 x (188 + 128 + 16 kB) / 117 MB/s + 10 x
// 74 us = 6.7 ms; measured 63 -> 42 tok/s = 7.9 ms (llama.cpp PR 6829).
Prediction rpc_overhead(double kernels, double vocabulary, double hidden, const CollectiveLink& link);

}  // namespace oblea
