#include "io/tariff_row.hpp"

#include <bitset>
#include <charconv>

#include <fmt/core.h>

#include "io/fields.hpp"

namespace oblea {
namespace {

constexpr int kHours = 24;

using HourSet = std::bitset<kHours>;

struct DayHours {
  HourSet weekday;
  HourSet weekend;
};

Money parse_price(ObjectReader& row) {
  const JsonValue* value = row.required("price");
  if (value == nullptr) return {};
  const ParsedMoney parsed = parse_money_per_kilowatt_hour(value->text);
  if (!parsed.error.message.empty())
    row.fault(*value, "\"price\": " + parsed.error.message, parsed.error.hint);
  else if (parsed.money.amount <= 0)
    row.fault(*value, "a tariff must be greater than 0");
  return parsed.money;
}

bool parse_hour(std::string_view text, int& hour) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), hour);
  return text.size() <= 2 && error == std::errc() && end == text.data() + text.size() && hour >= 0 && hour <= kHours;
}

// "22-6" is the hours 22, 23 and 0 to 5. False where it is no such text.
bool add_hours(std::string_view text, HourSet& hours) {
  const std::size_t dash = text.find('-');
  int begin = 0;
  int end = 0;
  if (dash == std::string_view::npos || !parse_hour(text.substr(0, dash), begin) ||
      !parse_hour(text.substr(dash + 1), end) || begin == kHours || begin == end) {
    return false;
  }
  const int length = end > begin ? end - begin : end + kHours - begin;
  for (int i = 0; i < length; ++i) hours.set(static_cast<std::size_t>((begin + i) % kHours));
  return true;
}

HourSet parse_hours(ObjectReader& row) {
  HourSet hours;
  const JsonValue* list = row.required("hours");
  if (list == nullptr) return hours;
  if (list->kind != JsonValue::Kind::array || list->items.empty()) {
    row.fault(*list, "\"hours\" must be a list such as [\"10-14\", \"18-22\"]");
    return hours;
  }
  for (const JsonValue& item : list->items) {
    if (!add_hours(item.text, hours)) row.fault(item, "hours are two whole numbers of 0 to 24, such as \"22-6\"");
  }
  return hours;
}

void set_prices(const HourSet& hours, HourSet& taken, double price, HourPrices& prices) {
  for (std::size_t hour = 0; hour < prices.size(); ++hour) {
    if (hours[hour]) prices[hour] = price;
  }
  taken |= hours;
}

void parse_period(ObjectReader& row, const Tariff& tariff, TariffHours& prices, DayHours& taken) {
  const std::string days = row.choice_or("days", {"weekdays", "weekends", "every day"}, "every day");
  const HourSet hours = parse_hours(row);
  const Money price = parse_price(row);
  const bool both_are_known = price.amount > 0 && tariff.per_kilowatt_hour.amount > 0;
  if (both_are_known && price.currency != tariff.per_kilowatt_hour.currency) {
    row.fault(row.value(), fmt::format("a period's price must be in the tariff's currency, {}",
                                       currency_code(tariff.per_kilowatt_hour.currency)));
  }
  const HourSet weekday = days == "weekends" ? HourSet() : hours;
  const HourSet weekend = days == "weekdays" ? HourSet() : hours;
  if ((weekday & taken.weekday).any() || (weekend & taken.weekend).any()) {
    row.fault(row.value(), fmt::format("an hour of this period is in another period of tariff \"{}\" too", tariff.id));
  }
  set_prices(weekday, taken.weekday, price.amount, prices.weekday);
  set_prices(weekend, taken.weekend, price.amount, prices.weekend);
}

void parse_periods(ObjectReader& row, const JsonValue& periods, Tariff& tariff) {
  if (periods.kind != JsonValue::Kind::array || periods.items.empty()) {
    row.fault(periods, "\"periods\" must be a list of one period or more",
              "leave it out where every hour has the same price");
    return;
  }
  TariffHours prices;
  prices.weekday.fill(tariff.per_kilowatt_hour.amount);
  prices.weekend.fill(tariff.per_kilowatt_hour.amount);
  DayHours taken;
  for (const JsonValue& item : periods.items) {
    ObjectReader period(row.document(), item, "period", row.diagnostics());
    parse_period(period, tariff, prices, taken);
    period.finish();
  }
  tariff.per_kilowatt_hour.amount = week_mean(prices);
  tariff.hours = prices;
}

}  // namespace

Tariff parse_tariff(const JsonDocument& document, const JsonValue& value, Diagnostics& diagnostics) {
  ObjectReader row(document, value, "tariff", diagnostics);
  Tariff tariff;
  tariff.id = row.text("id");
  tariff.name = row.text("name");
  tariff.per_kilowatt_hour = parse_price(row);
  if (const JsonValue* periods = row.optional("periods")) parse_periods(row, *periods, tariff);
  tariff.source = row.source();
  row.finish();
  return tariff;
}

}  // namespace oblea
