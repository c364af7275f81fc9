// A found machine matched to the library: a node that `place` and `size --have` take, and how sure each part of it is.
#pragma once

#include <string>
#include <vector>

#include "hardware/found_machine.hpp"
#include "hardware/library.hpp"
#include "study/match_part.hpp"
#include "study/scenario.hpp"

namespace oblea {

struct MatchedMachine {
  PartMatch host;
  PartMatch cpu;
  std::vector<PartMatch> gpus;  // one for each that was found, in its order
  std::vector<PartMatch> nics;
  std::vector<PartMatch> disks;
  NodeSettings node;               // without a host where none is like it
  std::vector<std::string> notes;  // what was assumed, narrowed or left out
};

// Cards that no profile may stand for are left out of the node and named in the notes: nothing wrong goes in silently.
MatchedMachine match_machine(const FoundMachine& found, const ProfileLibrary& library);

}  // namespace oblea
