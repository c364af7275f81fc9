#include "engine/simgrid_engine.hpp"

#include <vector>

#include <simgrid/version.h>  // needs s4u.hpp

#include "base/check.hpp"

namespace oblea {
namespace {

// Times, and shares of a rate; renamed in SimGrid 3.33.
#if SIMGRID_VERSION >= 33300
constexpr const char* kTimePrecision = "--cfg=precision/timing:1e-12";
constexpr const char* kSharePrecision = "--cfg=precision/work-amount:1e-11";
#else
constexpr const char* kTimePrecision = "--cfg=surf/precision:1e-12";
constexpr const char* kSharePrecision = "--cfg=maxmin/precision:1e-11";
#endif

}  // namespace

std::unique_ptr<simgrid::s4u::Engine> make_simgrid_engine() {
  OBLEA_CHECK(!simgrid::s4u::Engine::is_initialized(), "SimGrid runs once a process");
  const char* settings[] = {"oblea",
                            "--cfg=network/model:CM02",
                            "--cfg=network/crosstraffic:0",
                            "--cfg=network/TCP-gamma:1e18",
                            kTimePrecision,
                            kSharePrecision,
                            "--cfg=contexts/stack-size:256",  // KiB; an actor a transfer
                            "--log=root.thresh:critical",
                            "--log=no_loc"};
  int count = static_cast<int>(std::size(settings));
  std::vector<char*> arguments;
  for (const char* setting : settings) arguments.push_back(const_cast<char*>(setting));
  return std::make_unique<simgrid::s4u::Engine>(&count, arguments.data());
}

}  // namespace oblea
