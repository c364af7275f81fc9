#include "io/gguf/describe_file.hpp"

#include <map>

#include <fmt/core.h>

#include "base/printable.hpp"

namespace oblea {
namespace {

constexpr std::size_t kShownText = 80;  // bytes of a name

std::string text_of(const GgufHeader& header, std::string_view name) {
  const GgufKey* key = header.find(name);
  const std::string* text = key == nullptr ? nullptr : std::get_if<std::string>(&key->value);
  return text == nullptr ? "" : cut_text(*text, kShownText);
}

Table type_table(const std::vector<GgufHeader>& headers) {
  std::map<std::string, GgufTypeCount> types;
  for (const GgufHeader& header : headers) {
    for (const GgufTypeCount& count : count_types(header)) {
      types[count.name].tensors += count.tensors;
      types[count.name].bytes += count.bytes;
    }
  }
  Table table{"Tensors", {{"type", ""}, {"tensors", "tensors"}, {"bytes", "B"}}, {}};
  for (const auto& [name, count] : types) {
    table.rows.push_back({name, static_cast<double>(count.tensors), static_cast<double>(count.bytes)});
  }
  return table;
}

std::string words_of(const Diagnostics& faults) {
  std::string words;
  for (const Diagnostic& fault : faults) {
    if (fault.severity != Severity::error) continue;
    words += fmt::format("{}{}", words.empty() ? "" : "; ", fault.message);
    if (!fault.hint.empty()) words += fmt::format(" ({})", fault.hint);
  }
  return words;
}

}  // namespace

Report describe_gguf_file(const std::vector<GgufHeader>& headers, const Diagnostics& faults) {
  const GgufHeader& first = headers.front();
  Report report;
  report.command = "import model";
  report.version = OBLEA_VERSION;
  report.question = fmt::format("What is {}? (GGUF v{}, architecture \"{}\", name \"{}\")", first.file, first.version,
                                text_of(first, "general.architecture"), text_of(first, "general.name"));
  report.verdicts.push_back({"no-plan", Answer::no, words_of(faults)});
  double tensors = 0;
  double bytes = 0;
  for (const GgufHeader& header : headers) {
    tensors += static_cast<double>(header.tensors.size());
    for (const GgufTensor& tensor : header.tensors) bytes += static_cast<double>(tensor.bytes);
  }
  report.metrics.push_back(exact_metric("keys", static_cast<double>(first.keys.size()), "keys"));
  report.metrics.push_back(exact_metric("tensors", tensors, "tensors"));
  report.metrics.push_back(exact_metric("tensor_bytes", bytes, "B"));
  if (tensors > 0) report.tables.push_back(type_table(headers));
  return report;
}

}  // namespace oblea
