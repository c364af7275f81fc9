#include "study/engine_start.hpp"

namespace oblea {

Banded<Seconds> engine_start(const EngineSettings& engine) {
  switch (engine.kind) {
    case Engine::llama_cpp:
      return {Seconds(1), Seconds(0.3), Seconds(5)};
    case Engine::vllm:
      if (!engine.cuda_graphs) return {Seconds(30), Seconds(15), Seconds(60)};
      return {Seconds(60), Seconds(40), Seconds(230)};
    case Engine::generic:
    case Engine::wafer:
    case Engine::distributed_llama:
      break;
  }
  return {Seconds(10), Seconds(1), Seconds(60)};
}

}  // namespace oblea
