// Prediction: a duration with its band and the resource that sets it.
#pragma once

#include <string_view>

#include "units/quantity.hpp"

namespace oblea {

enum class TimingLimit { memory_bandwidth, unpacking, launch_overhead, attention, compute, network };

inline std::string_view timing_limit_name(TimingLimit limit) {
  switch (limit) {
    case TimingLimit::memory_bandwidth:
      return "memory bandwidth";
    case TimingLimit::unpacking:
      return "weight unpacking";
    case TimingLimit::launch_overhead:
      return "launch overhead";
    case TimingLimit::attention:
      return "attention";
    case TimingLimit::compute:
      return "compute";
    case TimingLimit::network:
      return "network";
  }
  return "unknown";
}

struct Prediction {
  Seconds value{};
  Seconds low{};  // 5 to 95 % of devices that the fit has not seen lie between low and high
  Seconds high{};
  TimingLimit limit = TimingLimit::memory_bandwidth;
};

}  // namespace oblea
