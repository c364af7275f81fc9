// Any bytes as a quantity: a finite number or an error with a message.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "units/parse.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (int kind = 0; kind <= static_cast<int>(oblea::UnitKind::litres_per_hour); ++kind) {
    const oblea::ParsedValue parsed = oblea::parse_value(text, static_cast<oblea::UnitKind>(kind));
    if (parsed.ok() ? !std::isfinite(parsed.value()) : parsed.error().message.empty()) std::abort();
  }
  const oblea::ParsedMoney money = oblea::parse_money(text);
  if (money.error.message.empty() && !std::isfinite(money.money.amount)) std::abort();
  return 0;
}
