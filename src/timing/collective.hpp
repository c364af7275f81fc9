// Collectives and hops: how long activations take between devices.
//
// Scope: small and medium messages of tensor and pipeline parallel inference. Limits: the slowest neighbours pace a
// ring, switches add their own latency to the link's, nothing else is on the wires meanwhile.
#pragma once

#include <vector>

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

// The links of a group, each with the share that is left when all ranks of the step send at once.
struct CollectiveGroup {
  int ranks = 1;
  CollectiveLink ring;                   // slowest of neighbours
  std::vector<CollectiveLink> exchange;  // slowest of partners that are 1, 2, 4, ... ranks apart
  CollectiveLink star_out;               // from rank 0 to every other
  CollectiveLink star_in;                // and back
  Bytes port_buffer{};                   // of the switch before rank 0; 0: ample
};

// Every rank reaches every other over a link of its own.
CollectiveGroup make_collective_group(int ranks, const CollectiveLink& link);

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
// pairwise exchange, both ends sending at once: a step latency + bytes / goodput of its own link for each power of two
// up to n, and two more of the widest where n lies beyond it (its surplus joins first and hears last).
// Example: 2 nodes, 16,384 B over 1 GbE (74 us, 117 MB/s): 20 + 74 + 140 = 234 us; a ring would take 20 + 148 + 140.
// Example: 4 H200 over NVLink (0.9 us, 450 GB/s), 16,384 B: 5.5 + 6 x 0.9 + 0.05 = 10.95 us (measured 10.9).
// Example: 2 boxes of 2 cards on 1 GbE, 16,384 B: inside (15 us, 12.5 GB/s), then two flows on one port (74 us, 58.5
// MB/s): 20 + 16.3 + 354 = 390 us; in a ring 20 + 6 x 74 + 1.5 x 140 = 674 us.
Prediction all_reduce_time(const CollectiveGroup& group, Bytes bytes);
Prediction all_reduce_time(int ranks, Bytes bytes, const CollectiveLink& link);

// Rank 0 sends the vector to every other and takes each one's part back (distributed-llama): software + latency +
// bytes / out + latency + bytes / in. Where the answers overflow the switch's buffer, every frame too many is lost
// without a trace with a chance of 1/300, and TCP waits 200 ms for it (its least timeout on Linux). By eye from
// published runs of 8 nodes at one small switch (290, 653 and 2,720 ms a token); see README.
// Example: 4 nodes on 1 GbE (74 us, 117 MB/s; 39 MB/s for each of three), 4,352 B: 20 + 2 x (74 + 111.6) = 391 us.
// Example: 8 nodes at a switch of 24 kB a port: 20 + 2 x (74 + 260.4) + (30,464 - 24,000) / 1,500 / 300 x 200,000 =
// 689 + 2,873 = 3,562 us.
Prediction star_sync_time(const CollectiveGroup& group, Bytes bytes);

// One activation to the next stage: software / 2 + latency + bytes / goodput.
// Example: 16,384 B over 1 GbE: 10 + 74 + 140 = 224 us.
Prediction pipeline_hop_time(Bytes bytes, const CollectiveLink& link);

// What llama.cpp's RPC back end adds to a token for every remote device, besides that device's own work: the graph is
// sent anew (about 500 B a kernel), logits and activations come back, and the server's copies cost as much again as the
// wire. Example (TinyLlama, 376 kernels, 32,000 words, hidden 2048, 1 GbE): 2.1 x (188 + 128 + 16 kB) / 117 MB/s + 10 x
// 74 us = 6.7 ms; measured 63 -> 42 tok/s = 7.9 ms (llama.cpp PR 6829).
Prediction rpc_overhead(double kernels, double vocabulary, double hidden, const CollectiveLink& link);

}  // namespace oblea
