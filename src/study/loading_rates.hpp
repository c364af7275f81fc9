// LoadingRates: how fast weights move through disks, readers, memory, wires and slots, each with the spread that others
// saw. Shares of a rate where no number is named are our estimates.
#pragma once

#include "hardware/network.hpp"
#include "hardware/storage.hpp"
#include "units/banded.hpp"
#include "units/quantity.hpp"

namespace oblea {

using BandedRate = Banded<BytesPerSecond>;

// Large reads. Measured: 0.9 to 1.05 of it; of a datasheet 0.35 to 1 (one reader of llama.cpp got 1.2 GB/s of an
// unnamed NVMe, ggml-org/llama.cpp pull 28223; 6.4 GB/s of a laptop's, issue 9244); an estimate 0.5 to 1.25. Example:
// an NVMe of 7.45 GB/s (datasheet): 2.6 to 7.45.
BandedRate read_rate(const Storage& storage);

// A program that faults a mapped file in: the profile's number, or a quarter of the read rate. Seen: 0.10 of the read
// rate (llama.cpp pull 27742, 22 against 224 s), 0.11 (issue 9244, 6.4 against 0.73 GB/s), 0.12 (sgl-project/sglang
// pull 7469, 32 against 258 s), 0.42 (pull 14396, 14.3 against 33.7 s). Example: 1.5 GB/s mapped of 7.45: 0.67
// to 3.13.
BandedRate mapped_rate(const Storage& storage);

// Page cache to pinned memory to the cards: the RAM kit's number, 8 GB/s where there is none, 0.6 to 1.6 of it. Seen:
// 70 GB from a warm page cache to eight cards in about 10 s (vllm-project/vllm issue 19824).
BandedRate ram_copy_rate(const Storage* kit);

// One TCP flow over a port: the card's goodput, or what the switch's fastest port leaves of it. Tuned hosts reach it;
// others 0.47 of it above 2.5 Gb/s (1.1 to 4.4 of 9.39 Gb/s, tarlinder). Example: 9.39 Gb/s behind a switch of 1 Gb/s:
// 0.939 Gb/s, 117 MB/s.
BandedRate wire_rate(const Nic& nic, const Switch* network_switch);

// 0.9 to 1.05 of the link's goodput.
BandedRate slot_rate(const PcieLink& link);

// llama.cpp hashes byte by byte (FNV-1a) what a server may have in its cache: a multiplication a byte. 0.7 GB/s (0.4 to
// 1): at most 12.1 GB of a 32B in 25 s (ggml-org/llama.cpp pull 12620).
BandedRate hash_rate();

}  // namespace oblea
