// LoadingPlan: what every box reads on a cold start, from where and through what, as transfers.
//
// Modelled: bytes stream through everything on their way at once, so the slowest rules; boxes share the NAS and its
// ports (a flow takes one, hardware/bonded_port.hpp); a switch passes on all that its ports carry; the cards of a box
// share its memory, those in x1 slots the chip set's uplink too (PCIe 3.0 x4, an estimate).
// llama.cpp: one thread reads one tensor after the other, so cards fill in turn. It reads what its devices hold. What
// lies on another box goes over the wire from the first one; with a copy on the other box's disk (rpc-server -c) the
// first one still reads and hashes it (ggml-org/llama.cpp pull 12620), then the other reads it.
// vLLM: every box reads the whole checkpoint once, whatever its cards keep; its workers share the page cache and fill
// their cards at the same time. Other engines: every box reads what its devices hold, all devices at once.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "engine/transfers.hpp"
#include "hardware/library.hpp"
#include "study/loading_rates.hpp"
#include "study/placed_cluster.hpp"
#include "study/scenario.hpp"

namespace oblea {

struct BoxLoading {
  std::string name;
  std::string from;          // "NAS", "disk", "page cache", "box 1"
  double weights_bytes = 0;  // on its devices in the end
  double read_bytes = 0;     // from disk, NAS, page cache or another box
};

struct LoadingPlan {
  TransferPlan transfers;         // at the middle of every band
  std::vector<BandedRate> rates;  // by resource
  std::vector<int> box_of;        // by transfer: who waits for it
  std::vector<BoxLoading> boxes;
};

// `scenario.storage` must be set, `placed` must hold a placement.
// Errors: profiles that the library does not know, weights that are nowhere, boxes without a network to a NAS.
Result<LoadingPlan> make_loading_plan(const Scenario& scenario, const PlacedCluster& placed,
                                      const ProfileLibrary& library);

}  // namespace oblea
