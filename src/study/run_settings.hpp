// RunSettings: what a scenario says of a run besides its requests: replicas, where weights come from, what fails.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/engine_plan.hpp"
#include "units/quantity.hpp"

namespace oblea {

// Copies of the model, each on an equal part of the cluster: of its boxes, or of the cards of its only box.
struct ServingSettings {
  int replicas = 1;
  int prefill_replicas = 0;  // of `replicas`: read prompts only, the others answer
  Balancing balancing = Balancing::least_requests;
};

// Where the weights are when the machine is switched on; profiles by id.
struct StorageSettings {
  std::string nas;             // shared by all boxes; empty: none
  std::string disk;            // of every box
  bool on_disk = false;        // the model is on the disk already; with a NAS, else it is copied there on the way
  bool mapped = true;          // read through mmap, as llama.cpp does, rather than by large reads
  int nas_readers = 1;         // replicas that load at once, each with an equal share of the NAS; no key of a scenario
  bool in_page_cache = false;  // read lately: a second start on the same box
};

// `what`: a node by name, a device as "node/index", "network".
struct FailureEvent {
  std::string what;
  double at_s = 0;
  double repair_s = 0;  // 0: never
};

struct FailureSettings {
  std::vector<FailureEvent> events;
  double device_mtbf_s = 0;  // 0: it does not fail by chance
  double node_mtbf_s = 0;
  double network_mtbf_s = 0;
  double repair_s = 0;   // of a failure by chance; 0: never
  double detect_s = 10;  // until what is left notices
  bool retry = true;     // requests in flight begin anew; false: they are lost
  std::uint64_t seed = 1;
};

}  // namespace oblea
