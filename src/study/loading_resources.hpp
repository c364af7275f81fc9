// LoadingResources: what a cluster's weights can pass through, made when it is first named.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "hardware/library.hpp"
#include "study/loading_plan.hpp"
#include "study/machine.hpp"
#include "study/run_settings.hpp"

namespace oblea {

// Indices are of `LoadingPlan::transfers.resources`. A path is a list of them.
class LoadingResources {
 public:
  LoadingResources(LoadingPlan& plan, const Machine& machine, const ProfileLibrary& library, const Storage* nas,
                   const Storage* disk, const StorageSettings& settings);

  // From a storage to the box's memory.
  std::vector<int> from_disk(int box);
  std::vector<int> from_nas(int box);

  int memory(int box);
  int hash(int box);
  std::vector<int> wire(int from, int to);  // between two boxes

  // From the box's memory into a device of its list; empty for a SoC, whose memory it is.
  std::vector<int> slot(int box, int card);

 private:
  const Box& box_at(int box) const { return machine_.boxes[static_cast<std::size_t>(box)]; }
  int resource(const std::string& name, const BandedRate& rate, double latency_s = 0);
  int port_in(int box, int from);
  int reader(int box, const Storage& storage);

  LoadingPlan& plan_;
  const Machine& machine_;
  const ProfileLibrary& library_;
  const Storage* nas_;
  const Storage* disk_;
  bool mapped_;
  double nas_readers_;
  std::map<std::string, int> known_;
};

}  // namespace oblea
