#include "io/report_json.hpp"

#include <cmath>

#include <nlohmann/json.hpp>

#include "base/check.hpp"

namespace oblea {
namespace {

using Json = nlohmann::ordered_json;

double finite(double value) {
  OBLEA_CHECK(std::isfinite(value), "a report holds finite numbers only");
  return value;
}

Json to_json(const Metric& metric) {
  return {{"name", metric.name},       {"value", finite(metric.value)}, {"unit", metric.unit},
          {"low", finite(metric.low)}, {"high", finite(metric.high)},   {"origin", origin_name(metric.origin)}};
}

Json to_json(const Verdict& verdict) {
  const char* answers[] = {"yes", "tight", "no"};
  return {{"name", verdict.name}, {"answer", answers[static_cast<int>(verdict.answer)]}, {"words", verdict.words}};
}

Json to_json(const DeviceRow& row) {
  return {{"device", row.device},
          {"layers", row.layers},
          {"capacity_bytes", finite(row.capacity.value())},
          {"weights_bytes", finite(row.weights.value())},
          {"kv_bytes", finite(row.kv.value())},
          {"state_bytes", finite(row.state.value())},
          {"buffers_bytes", finite(row.buffers.value())},
          {"runtime_bytes", finite(row.runtime.value())},
          {"free_bytes", finite(row.free.value())}};
}

Json to_json(const Table& table) {
  Json columns = Json::array();
  for (const Column& column : table.columns) columns.push_back({{"name", column.name}, {"unit", column.unit}});
  Json rows = Json::array();
  for (const std::vector<Cell>& row : table.rows) {
    Json cells = Json::array();
    for (const Cell& cell : row) {
      if (const double* number = std::get_if<double>(&cell))
        cells.push_back(finite(*number));
      else
        cells.push_back(std::get<std::string>(cell));
    }
    rows.push_back(std::move(cells));
  }
  return {{"name", table.name}, {"columns", std::move(columns)}, {"rows", std::move(rows)}};
}

Json to_json(const OptionRow& row) {
  return {{"name", row.name},
          {"fits", row.fits},
          {"context_tokens", finite(row.tokens)},
          {"decode_tokens_per_s", finite(row.tokens_per_s)},
          {"words", row.words}};
}

Json to_json(const LaunchLine& line) { return {{"node", line.node}, {"command", line.command}}; }

Json to_json(const ClaimRow& row) {
  const char* outcomes[] = {"confirmed", "refuted", "unknown"};
  return {{"statement", row.statement},
          {"metric", row.metric},
          {"claimed", row.claimed},
          {"computed", row.computed},
          {"outcome", outcomes[static_cast<int>(row.outcome)]},
          {"arithmetic", row.arithmetic}};
}

Json to_json(const Source& source) {
  return {{"source", source.text}, {"date", source.date}, {"confidence", confidence_name(source.confidence)}};
}

Json to_json(const Bill& bill) {
  Json lines = Json::array();
  for (const BillLine& line : bill.lines) {
    Json row = {{"item", line.item},
                {"name", line.name},
                {"count", line.count},
                {"unit_price", finite(line.unit_price.amount)},
                {"currency", currency_code(line.unit_price.currency)},
                {"condition", line.condition == Condition::used ? "used" : "new"}};
    row.update(to_json(line.source));
    lines.push_back(std::move(row));
  }
  Json json = {{"currency", currency_code(bill.currency)}, {"lines", std::move(lines)}};
  if (const auto total = bill_total(bill)) {
    json["total"] = {{"value", finite(total->value.amount)},
                     {"low", finite(total->low.amount)},
                     {"high", finite(total->high.amount)}};
  }
  return json;
}

Json to_json(const BuildRow& build);
Json to_json(const LostRow& row);

template <class T>
Json to_json(const std::vector<T>& rows) {
  Json list = Json::array();
  for (const T& row : rows) list.push_back(to_json(row));
  return list;
}

Json to_json(const BuildRow& build) {
  return {{"name", build.name},
          {"label", build.label},
          {"quantisation", build.mixture},
          {"placement_words", build.placement},
          {"metrics", to_json(build.metrics)},
          {"verdicts", to_json(build.verdicts)},
          {"placement", to_json(build.devices)},
          {"bill", to_json(build.bill)}};
}

Json to_json(const LostRow& row) {
  return {{"name", row.name},
          {"price", finite(row.price.amount)},
          {"currency", currency_code(row.price.currency)},
          {"why", row.why}};
}

}  // namespace

std::string write_report_json(const Report& report) {
  Json json = {{"format", kReportFormat},
               {"command", report.command},
               {"question", report.question},
               {"version", report.version},
               {"input_hash", report.input_hash},
               {"library_hash", report.profiles_hash},
               {"verdicts", to_json(report.verdicts)},
               {"metrics", to_json(report.metrics)},
               {"placement", to_json(report.placement)},
               {"tables", to_json(report.tables)},
               {"options", to_json(report.options)},
               {"launch", to_json(report.launch)},
               {"builds", to_json(report.builds)},
               {"lost", to_json(report.lost)},
               {"claims", to_json(report.claims)},
               {"notes", report.notes},
               {"provenance", report.provenance}};
  if (report.bill) json["bill"] = to_json(*report.bill);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace oblea
