// Any bytes as a GGUF file: a header, or a fault that names a byte; and of the header a model, or faults.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "io/gguf/model.hpp"
#include "llm/footprint.hpp"
#include "llm/parameters.hpp"

namespace {

void visit(const oblea::ModelSpec& model) {
  if (model.layers.empty() || oblea::total_parameters(model) < 0) std::abort();
  if (!model.stored) return;
  const oblea::Mixture& stored = *oblea::find_mixture(oblea::kStoredMixture);
  if (!(oblea::make_footprint(model, stored).weights().value() >= 0)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  oblea::ByteReader bytes(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz.gguf");
  oblea::Diagnostics warnings;
  oblea::Result<oblea::GgufHeader> header = oblea::parse_gguf_header(bytes, warnings);
  if (!header) {
    if (header.error().front().message.rfind("at byte ", 0) != 0) std::abort();
    return 0;
  }
  std::vector<oblea::GgufHeader> headers;
  headers.push_back(std::move(*header));
  const oblea::Result<oblea::ModelSpec> model = oblea::make_gguf_model(headers, {}, warnings);
  if (model)
    visit(*model);
  else if (!oblea::has_errors(model.error()))
    std::abort();
  return 0;
}
