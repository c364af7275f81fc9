// Clock: SimGrid's, as the engine needs it: one actor's time, and links.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "engine/engine_plan.hpp"

namespace oblea {

// One a process: SimGrid cannot start its clock again. Everything below `run` happens in actors.
class SimulatedTime {
 public:
  explicit SimulatedTime(std::vector<LinkPlan> links);
  ~SimulatedTime();
  SimulatedTime(const SimulatedTime&) = delete;
  SimulatedTime& operator=(const SimulatedTime&) = delete;

  void add_actor(const std::string& name, const std::function<void()>& body);
  void run();

  // Of the actor that calls.
  static double now();
  static void sleep_until(double at_s);
  static void work(double seconds);  // sleeping: whoever works holds the stage
  // To a stage; its link counts from `first_link` on.
  void hop(const StagePlan& stage, int first_link, double tokens);

 private:
  struct World;
  std::vector<LinkPlan> links_;
  std::unique_ptr<World> world_;
};

}  // namespace oblea
