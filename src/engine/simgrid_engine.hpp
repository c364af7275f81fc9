// SimgridEngine: SimGrid's engine with the settings that make its times ours.
#pragma once

#include <memory>

#include <simgrid/s4u.hpp>

namespace oblea {

// A transfer takes exactly bytes / share, shared max-min, with no factors of a measured TCP on top; events 1e-12 s
// apart stay apart. Once a process: SimGrid cannot start its clock again.
std::unique_ptr<simgrid::s4u::Engine> make_simgrid_engine();

}  // namespace oblea
