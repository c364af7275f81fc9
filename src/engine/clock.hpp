// Clock: SimGrid's, as the engine needs it: one actor's time, stages that serve one pass at a time, links.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "engine/engine_plan.hpp"

namespace oblea {

// One a process: SimGrid cannot start its clock again. Everything below `run` happens in actors.
class SimulatedTime {
 public:
  explicit SimulatedTime(const EnginePlan& plan);
  ~SimulatedTime();
  SimulatedTime(const SimulatedTime&) = delete;
  SimulatedTime& operator=(const SimulatedTime&) = delete;

  void add_actor(const std::string& name, const std::function<void()>& body);
  void run();

  // Of the actor that calls.
  static double now();
  static void sleep_until(double at_s);
  static void work(double seconds);  // sleeping: whoever works holds the stage
  void hop(int stage, double tokens);

  void enter(int stage);  // waits its turn, first come first served
  void leave(int stage);

 private:
  struct World;
  const EnginePlan& plan_;
  std::unique_ptr<World> world_;
};

}  // namespace oblea
