// Pacer: who says during a run how fast its stages work: clocks that follow the temperatures that the work itself
// makes.
#pragma once

#include <limits>
#include <vector>

namespace oblea {

// What was done since the last look. A pass counts when it ends, so one that is under way at `to_s` counts next time.
struct Activity {
  double from_s = 0;
  double to_s = 0;
  std::vector<double> decode_s;  // work of passes that only decode; by lane, as `lane_names` counts
  std::vector<double> prompt_s;  // work of passes that read prompts; by lane
  std::vector<double> busy_s;    // a pass was under way; by replica
};

// Factors of a lane's work: 1 as planned, 2 twice as long. Collectives, hops and overhead keep their time.
struct Pace {
  double decode = 1;  // reading weights and caches, drafting
  double prompt = 1;  // the matrices of passes that read prompts
  bool operator==(const Pace&) const = default;
};

struct Look {
  std::vector<Pace> pace;      // by lane, of passes that begin from now on; empty: as it was
  std::vector<int> shut_down;  // replicas that stop for good; what they had goes elsewhere
  double next_s = std::numeric_limits<double>::infinity();  // when to look again
};

// Looks happen at their times exactly, after passes that end at one time and before those that begin.
class Pacer {
 public:
  virtual ~Pacer() = default;
  virtual double first_look_s() const = 0;
  virtual Look look(const Activity& activity) = 0;
  // What the pacer wants to be kept of the last look: numbers, as many each time.
  virtual std::vector<double> sample() const = 0;
};

}  // namespace oblea
