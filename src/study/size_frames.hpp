// SizeFrames: every board, network and RAM that a set of cards can stand in: a build but for disk and supply.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "study/machine_links.hpp"
#include "study/scenario.hpp"
#include "study/size_parts.hpp"

namespace oblea {

struct Frame {
  Machine machine;
  double price = 0;  // of all in it, in the budget's currency
  MachineLinks links;
};

class FrameMaker {
 public:
  // `owned`: the box that sets add to, or nullptr. The references must outlive the maker.
  FrameMaker(const Scenario& scenario, const ProfileLibrary& library, const SizeParts& parts, const Machine* owned)
      : scenario_(scenario), library_(library), parts_(parts), owned_(owned) {}

  // Frames within the budget, cheapest board first. None: `why_not` says what the boards lack.
  std::vector<Frame> make(const CardSet& set, std::string& why_not);

  // Adds kits of at least `wanted` to every box; false where they do not go into the board.
  static bool add_ram(Frame& frame, const PricedKit& ram, Bytes wanted);

  // Enough to load a model by mmap and run the system.
  static bool has_ram(const Frame& frame);

 private:
  Machine machine_of(const CardSet& set, const Host& host) const;
  std::vector<Frame> owned_frames(const CardSet& set, std::string& why_not) const;
  std::vector<Frame> soc_frames(const CardSet& set) const;
  std::vector<Frame> board_frames(const CardSet& set, std::string& why_not) const;
  void add_joined(std::vector<Frame>& frames, const Frame& frame, const CardSet& set) const;
  bool find_links(Frame& frame);

  const Scenario& scenario_;
  const ProfileLibrary& library_;
  const SizeParts& parts_;
  const Machine* owned_;
  std::map<std::string, MachineLinks> links_;
};

inline constexpr Bytes kRamMin = kGiB * 16;

}  // namespace oblea
