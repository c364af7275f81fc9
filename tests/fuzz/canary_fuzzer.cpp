// A planted fault: a reader that believes the length that its input declares. Fuzzing must find it, or it finds
// nothing.
#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (!text.starts_with("OBLEA") || text.size() < 6) return 0;
  const auto declared = static_cast<std::uint8_t>(text[5]);
  const std::string payload = text.substr(6);
  int sum = 0;
  for (std::size_t i = 0; i < declared; ++i) sum += payload.at(i);  // no check: throws, and nobody catches
  return sum == -1 ? 1 : 0;
}
