#include "study/loading_plan.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/check.hpp"
#include "base/suggest.hpp"
#include "study/loading_resources.hpp"

namespace oblea {
namespace {

using Path = std::vector<int>;

Path join(const std::vector<Path>& parts) {
  Path path;
  for (const Path& part : parts) path.insert(path.end(), part.begin(), part.end());
  return path;
}

// A device with weights: where it stands.
struct Target {
  int box = 0;
  int card = -1;  // of the box's list; -1: its CPU
  double bytes = 0;
};

std::vector<Target> targets_of(const PlacedCluster& placed) {
  const Placement& placement = *placed.placement();
  const PlanningDevices& planning = placed.planning;
  std::vector<int> seen(placed.machine.boxes.size(), 0);
  std::vector<Target> targets;
  for (std::size_t i = 0; i < planning.devices.size() && i < placement.memory.size(); ++i) {
    Target target{planning.nodes[i], -1, placement.memory[i].weights.value()};
    const Box& box = placed.machine.boxes[static_cast<std::size_t>(target.box)];
    int& next = seen[static_cast<std::size_t>(target.box)];
    if (i < planning.accelerators && next < static_cast<int>(box.devices.size())) target.card = next++;
    if (target.bytes > 0) targets.push_back(target);
  }
  return targets;
}

class Planner {
 public:
  Planner(const StorageSettings& settings, const PlacedCluster& placed, const ProfileLibrary& library,
          const Storage* nas, const Storage* disk, LoadingPlan& plan)
      : settings_(settings),
        placed_(placed),
        plan_(plan),
        resources_(plan, placed.machine, library, nas, disk, settings),
        targets_(targets_of(placed)),
        is_local_(settings.on_disk || nas == nullptr) {
    for (std::size_t b = 0; b < placed.machine.boxes.size(); ++b)
      plan_.boxes.push_back({fmt::format("box {}", b + 1), source_words(), 0, 0});
    for (const Target& target : targets_) box(target.box).weights_bytes += target.bytes;
  }

  // One thread of the first box's program.
  void load_one_by_one() {
    int last = -1;
    for (const Target& target : targets_) {
      if (target.box == kMain) {
        last = add(target, target.bytes, join({source(kMain), {resources_.memory(kMain)}, into(target)}), last);
      } else if (settings_.on_disk) {
        last =
            add(target, target.bytes, join({source(kMain), {resources_.memory(kMain), resources_.hash(kMain)}}), last);
        last =
            add(target, target.bytes, join({source(target.box), {resources_.memory(target.box)}, into(target)}), last);
      } else {
        box(target.box).from = box(kMain).name;
        last = add(target, target.bytes,
                   join({source(kMain),
                         {resources_.memory(kMain)},
                         resources_.wire(kMain, target.box),
                         {resources_.memory(target.box)},
                         into(target)}),
                   last);
      }
      box(target.box).read_bytes += target.bytes;
    }
  }

  // Every box reads all of the model while its workers fill their cards.
  void load_whole_files() {
    const double file = placed_.model.weights().value();
    for (int b = 0; b < static_cast<int>(plan_.boxes.size()); ++b) {
      if (box(b).weights_bytes <= 0) continue;
      box(b).read_bytes = file;
      if (!settings_.in_page_cache) add({b, -1, 0}, file, source(b), -1);
    }
    for (const Target& target : targets_)
      add(target, target.bytes, join({{resources_.memory(target.box)}, into(target)}), -1);
  }

  void load_own_parts() {
    for (const Target& target : targets_) {
      add(target, target.bytes, join({source(target.box), {resources_.memory(target.box)}, into(target)}), -1);
      box(target.box).read_bytes += target.bytes;
    }
  }

 private:
  static constexpr int kMain = 0;

  BoxLoading& box(int b) { return plan_.boxes[static_cast<std::size_t>(b)]; }

  std::string source_words() const {
    if (settings_.in_page_cache) return "page cache";
    return is_local_ ? "disk" : "NAS";
  }

  Path source(int b) {
    if (settings_.in_page_cache) return {};
    return is_local_ ? resources_.from_disk(b) : resources_.from_nas(b);
  }

  Path into(const Target& target) { return target.card < 0 ? Path{} : resources_.slot(target.box, target.card); }

  int add(const Target& target, double bytes, Path path, int after) {
    Transfer transfer;
    transfer.name = fmt::format("{} device {}", box(target.box).name, target.card + 1);
    transfer.bytes = bytes;
    transfer.path = std::move(path);
    transfer.after = after;
    plan_.transfers.transfers.push_back(std::move(transfer));
    plan_.box_of.push_back(target.box);
    return static_cast<int>(plan_.box_of.size()) - 1;
  }

  const StorageSettings& settings_;
  const PlacedCluster& placed_;
  LoadingPlan& plan_;
  LoadingResources resources_;
  std::vector<Target> targets_;
  bool is_local_;
};

const Storage* find_storage(Diagnostics& faults, const ProfileLibrary& library, const std::string& id) {
  if (id.empty()) return nullptr;
  const Storage* storage = find(library.storage, id);
  if (storage == nullptr) {
    faults.push_back(
        {Severity::error, {}, fmt::format("no storage has the id \"{}\"", id), suggest(id, ids_of(library.storage))});
  }
  return storage;
}

}  // namespace

Result<LoadingPlan> make_loading_plan(const Scenario& scenario, const PlacedCluster& placed,
                                      const ProfileLibrary& library) {
  OBLEA_CHECK(scenario.storage && placed.placement() != nullptr, "there is something to load, and from somewhere");
  const StorageSettings& settings = *scenario.storage;
  Diagnostics faults;
  const Storage* nas = find_storage(faults, library, settings.nas);
  const Storage* disk = find_storage(faults, library, settings.disk);
  if (!faults.empty()) return fail(std::move(faults));
  const bool needs_disk = settings.on_disk || nas == nullptr;
  if (!settings.in_page_cache && needs_disk && disk == nullptr)
    return fail("the weights are nowhere: \"storage\" names no \"disk\"");
  const bool has_network = std::all_of(placed.machine.boxes.begin(), placed.machine.boxes.end(),
                                       [](const Box& box) { return box.nic != nullptr; });
  if ((nas != nullptr || placed.machine.boxes.size() > 1) && !has_network)
    return fail("a box without a network card reaches no NAS and no other box");
  LoadingPlan plan;
  Planner planner(settings, placed, library, nas, disk, plan);
  if (scenario.engine.kind == Engine::llama_cpp)
    planner.load_one_by_one();
  else if (scenario.engine.kind == Engine::vllm)
    planner.load_whole_files();
  else
    planner.load_own_parts();
  return plan;
}

}  // namespace oblea
