#include "study/refusal_words.hpp"

#include <fmt/core.h>

#include "units/print.hpp"

namespace oblea {
namespace {

Bytes installed(std::span<const PlacementDevice> devices) {
  Bytes sum{};
  for (const PlacementDevice& device : devices) {
    if (!device.is_cpu) sum += device.capacity;
  }
  return sum;
}

// Example: "; 1, 2, 4 or 28 do, and a layer split takes any number".
std::string allowed_words(const DoesNotFit& refusal) {
  if (refusal.groups.empty()) return "";
  std::string text = "; ";
  for (std::size_t i = 0; i < refusal.groups.size(); ++i) {
    const bool last = i + 1 == refusal.groups.size();
    text += fmt::format("{}{}", i == 0 ? "" : last ? " or " : ", ", refusal.groups[i]);
  }
  return text + (refusal.groups.size() == 1 ? " does" : " do") + ", and a layer split takes any number";
}

std::string needs(const DoesNotFit& refusal) {
  std::string text = fmt::format("{} of weights", print_gib(refusal.weights));
  if (refusal.why == WhyNot::weights_exceed_memory) return text;
  if (refusal.kv.value() > 0) text += fmt::format(" + {} of KV", print_gib(refusal.kv));
  if (refusal.state.value() > 0) text += fmt::format(" + {} of state", print_gib(refusal.state));
  return text;
}

}  // namespace

std::string refusal_short(const DoesNotFit& refusal) {
  switch (refusal.why) {
    case WhyNot::heads_do_not_divide:
      return fmt::format("{} heads do not divide over {} devices", refusal.heads, refusal.group) +
             allowed_words(refusal);
    case WhyNot::kv_heads_do_not_divide:
      return fmt::format("{} KV heads do not divide over {} devices", refusal.kv_heads, refusal.group) +
             allowed_words(refusal);
    case WhyNot::no_devices:
      return "no devices";
    case WhyNot::devices_do_not_divide:
      return fmt::format("the devices do not make groups of {}", refusal.group);
    case WhyNot::host_memory_exceeded:
      return fmt::format("{} to off-load against {} of host memory", print_gib(refusal.tightest_required),
                         print_gib(refusal.tightest_usable));
    case WhyNot::layer_exceeds_wafer:
      return fmt::format("layer {} is larger than a wafer", refusal.layer);
    case WhyNot::layers_do_not_divide:
      return fmt::format("{} against {} usable, but no cut between layers fits every device", needs(refusal),
                         print_gib(refusal.usable));
    case WhyNot::weights_exceed_memory:
    case WhyNot::cache_exceeds_memory:
      return fmt::format("{} against {} usable", needs(refusal), print_gib(refusal.usable));
  }
  return "";
}

std::string refusal_words(const DoesNotFit& refusal, std::span<const PlacementDevice> devices, const ModelSpec& model,
                          const std::string& mixture) {
  std::string text = fmt::format("{} at {}: {}", model.name, mixture, refusal_short(refusal));
  if (refusal.missing.value() > 0) {
    const Bytes cache = refusal.kv + refusal.state;
    text += fmt::format(" ({} installed): ", print_gib(installed(devices)));
    if (refusal.why == WhyNot::weights_exceed_memory && cache.value() > 0) {
      text += fmt::format("{} short, {} with {} of KV and state", print_gib(refusal.weights - refusal.usable),
                          print_gib(refusal.missing), print_gib(cache));
    } else {
      text += fmt::format("{} short", print_gib(refusal.missing));
    }
  }
  if (refusal.tightest_device >= 0 && refusal.tightest_device < static_cast<int>(devices.size()) &&
      refusal.tightest_missing.value() > 0) {
    text +=
        fmt::format("; in the best split {} lacks {}", devices[static_cast<std::size_t>(refusal.tightest_device)].name,
                    print_gib(refusal.tightest_missing));
  }
  return text;
}

}  // namespace oblea
