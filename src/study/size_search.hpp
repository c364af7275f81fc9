// SizeSearch: every build that the parts allow, evaluated for memory, speed, watts, supply, circuit and price.
//
// Pruned: sets whose cards alone exceed the budget, sets that cannot hold the model, boards without the slots. Kept: of
// every (cards, quantisation, split) the cheapest arrangement of the rest whose supply is fine and whose circuit
// carries it.
#pragma once

#include <string>
#include <vector>

#include "study/machine_power.hpp"
#include "study/scenario.hpp"
#include "study/size_parts.hpp"
#include "study/speed.hpp"
#include "timing/timing_parameters.hpp"

namespace oblea {

// One build that holds the model.
struct BuildCandidate {
  Machine machine;
  std::size_t set = 0;
  std::size_t mixture = 0;
  PlannedSplit split;
  Speed speed;
  double price = 0;
  double wall_decode = 0;  // W
  SupplyVerdict supply = SupplyVerdict::fine;
};

// What became of a set of cards.
struct SetOutcome {
  bool fits_in_memory = false;       // at some allowed quantisation, on the cards alone
  bool offered = false;              // some build of it was within budget, supply and circuit
  std::string why_not;               // arithmetic, when it did not
  double off_load_tokens_per_s = 0;  // best, where it runs only with the host's help
  std::string off_load_words;
};

struct SizeOutcome {
  std::vector<BuildCandidate> candidates;  // one a (set, quantisation, split); not yet a Pareto front
  std::vector<SetOutcome> sets;            // one a set of `parts`
  std::uint64_t evaluated = 0;             // complete builds whose price, speed and watts were computed
};

// `owned`: the box that sets add to, or nullptr.
SizeOutcome search_builds(const Scenario& scenario, const ProfileLibrary& library, const SizeParts& parts,
                          const TimingParameters& timing, const Machine* owned = nullptr);

// Tokens/s a user at the low end of the band: what a build is ranked by, so that a card nobody has measured does not
// win on hope.
double sure_speed(const BuildCandidate& build);

// Not beaten on price, sure speed a user, decode watts and bits a weight by any other.
std::vector<BuildCandidate> pareto_front(std::vector<BuildCandidate> candidates, const SizeParts& parts);

}  // namespace oblea
