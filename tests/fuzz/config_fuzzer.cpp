// Any bytes as a config.json: a model whose footprint is finite, or faults with words; never a crash.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "io/huggingface/config_model.hpp"
#include "llm/footprint.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  oblea::Diagnostics warnings;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto model = oblea::parse_config_model(text, "config.json", {}, warnings);
  if (!model) {
    if (oblea::print_diagnostics(model.error()).empty()) std::abort();
    return 0;
  }
  const oblea::Mixture* mixture = oblea::find_mixture(model->native_format);
  if (mixture == nullptr) std::abort();
  const oblea::ModelFootprint footprint = oblea::make_footprint(*model, *mixture);
  const double bytes = (footprint.weights() + oblea::request_bytes(footprint, oblea::Tokens(4096))).value();
  if (!std::isfinite(bytes) || bytes < 0) std::abort();
  return 0;
}
