// Motion: how the passes of one replica move through its stages while nothing but its own events happens.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <memory>

#include "engine/fleet.hpp"

namespace oblea {

// The next thing that a replica does by itself. At one time passes come back before others begin, whoever waited
// longest first.
struct MotionEvent {
  double at_s = std::numeric_limits<double>::infinity();
  bool begins = false;
  std::int64_t place = 0;
  int group = 0;
  auto operator<=>(const MotionEvent&) const = default;
};

class Motion {
 public:
  virtual ~Motion() = default;
  virtual MotionEvent next() const = 0;
  // Does it; caches that are to be handed on.
  virtual std::vector<Handover> act(const MotionEvent& event) = 0;
  // A request has joined the group, or cache of it became free.
  virtual void joined(int group, double now_s) = 0;
  // What is done by now goes into the record's activity.
  virtual void note_progress(double now_s) = 0;
  // The pace of passes that begin from now on is another one.
  virtual void pace_changed(double now_s) = 0;
  // The replica stops: passes that are done count, the others are lost.
  virtual void stop(double now_s) = 0;
};

// One group: one pass after another through all stages; a row of equal decode passes at once, by its closed form, cut
// where a request comes that could enter.
std::unique_ptr<Motion> move_in_rows(Fleet& fleet, int replica, double now_s);

// Several groups circulate: when each pass enters and leaves each stage follows from the ones before (max-plus).
std::unique_ptr<Motion> move_in_groups(Fleet& fleet, int replica, double now_s);

}  // namespace oblea
