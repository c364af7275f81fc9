#include "placement/engine_buffers.hpp"

#include <algorithm>
#include <cmath>

namespace oblea {
namespace {

struct Phases {
  Bytes mask;
  Bytes scores;
  Bytes layers;  // whole phase
  Bytes head;    // whole phase
  Bytes pool;
};

Tokens padded(const EngineBuffers& buffers, Tokens context) {
  return Tokens(std::ceil(context.value() / buffers.pad.value()) * buffers.pad.value());
}

Phases phases_of(const EngineBuffers& buffers, Tokens context) {
  const Tokens spanned = padded(buffers, context) * (buffers.shared ? std::max(1.0, buffers.requests) : 1.0);
  Phases phases;
  phases.mask = buffers.mask * (spanned + buffers.window_mask);
  if (context <= buffers.scores_until) phases.scores = buffers.scores * spanned;
  phases.pool = buffers.unpacked * spanned;
  const Bytes inputs = buffers.inputs + phases.mask;
  phases.layers = inputs + std::max(buffers.layers, buffers.attention + phases.scores);
  const Bytes head = context <= buffers.scores_until ? buffers.head : Bytes(0);
  phases.head = head + (buffers.copies > 1 ? inputs : Bytes(0));
  return phases;
}

}  // namespace

Bytes EngineBuffers::at(Tokens context, bool holds_head) const {
  const Phases phases = phases_of(*this, context);
  return phases.pool + (holds_head ? std::max(phases.layers, phases.head) : phases.layers);
}

Bytes EngineBuffers::head_extra(Tokens context) const {
  const Phases phases = phases_of(*this, context);
  return std::max(Bytes(0), phases.head - phases.layers);
}

Bytes EngineBuffers::per_request(Tokens context) const {
  return shared ? (mask + scores + unpacked) * padded(*this, context) : Bytes(0);
}

std::vector<EngineMemoryPart> EngineBuffers::parts(Tokens context, bool holds_head) const {
  const Phases phases = phases_of(*this, context);
  const bool head_rules = holds_head && phases.head > phases.layers;
  std::vector<EngineMemoryPart> parts;
  const auto add = [&](const char* name, Bytes bytes) {
    if (bytes.value() > 0) parts.push_back({name, bytes});
  };
  add("unpacked K and V", phases.pool);
  if (head_rules) add("logits", head);
  if (!head_rules || copies > 1) {
    add("inputs of a pass", inputs);
    add("attention mask", phases.mask);
  }
  if (head_rules) return parts;
  if (layers >= attention + phases.scores) {
    add("activations of a layer", layers);
  } else {
    add("activations of a layer", attention);
    add("attention scores", phases.scores);
  }
  return parts;
}

}  // namespace oblea
