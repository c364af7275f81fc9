// Any bytes as a JSON document: parsed or refused with places inside the text, never a crash.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "io/json_document.hpp"

namespace {

void visit(const oblea::JsonDocument& document, const oblea::JsonValue& value) {
  if (document.place(value).line < 1) std::abort();
  for (const oblea::JsonValue& item : value.items) visit(document, item);
  for (const oblea::JsonMember& member : value.members) visit(document, member.value);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto document = oblea::JsonDocument::parse(std::string(reinterpret_cast<const char*>(data), size), "fuzz");
  if (document)
    visit(*document, document->root());
  else if (oblea::print_diagnostics(document.error()).empty())
    std::abort();
  return 0;
}
