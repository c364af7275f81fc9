#include <algorithm>
#include <cstdio>
#include <filesystem>

#include <fmt/core.h>

#include "base/suggest.hpp"
#include "cli/commands.hpp"
#include "io/fields.hpp"
#include "io/model_file.hpp"
#include "io/read_profiles.hpp"
#include "io/text_file.hpp"
#include "report/text_table.hpp"

namespace oblea {
namespace {

bool holds(const std::string& text, const std::string& word) { return text.find(word) != std::string::npos; }

std::string field_text(const ProfileSheet& sheet, const char* key) {
  for (const ProfileField& field : sheet.fields) {
    if (field.key == key) return field.value;
  }
  return "";
}

int count_estimates(const ProfileSheet& sheet) {
  return static_cast<int>(std::count_if(sheet.fields.begin(), sheet.fields.end(), [](const ProfileField& field) {
    return !field.source.text.empty() && field.source.confidence == Confidence::estimate;
  }));
}

// What a reader wants to see first, by kind.
std::string headline(const ProfileSheet& sheet) {
  std::string text;
  for (const char* key :
       {"memory", "memory_bandwidth", "capacity", "rated", "line_rate", "goodput", "ram_max", "tdp", "power"}) {
    const std::string value = field_text(sheet, key);
    if (!value.empty()) text += (text.empty() ? "" : ", ") + value;
  }
  return text;
}

void print_sheet(const ProfileSheet& sheet) {
  fmt::print("{} ({}) {}\n{}\n\n", sheet.id, sheet.kind, sheet.name, std::filesystem::proximate(sheet.path).string());
  TextTable table({"field", ">value", "confidence", "date", "source"});
  std::string words;
  for (const ProfileField& field : sheet.fields) {
    if (field.source.text.empty()) {
      words += wrap_text(field.key + ": " + field.value, 110, 0);
      continue;
    }
    table.add({field.key, field.value, std::string(confidence_name(field.source.confidence)), field.source.date,
               field.source.text});
  }
  std::fputs((words + "\n" + table.print(0)).c_str(), stdout);
}

void print_prices(const ProfileLibrary& library, const std::string& id) {
  for (const Price& price : library.prices.prices) {
    if (price.item != id) continue;
    fmt::print("price  {:g} {} {} ({}, {}, {})\n", price.money.amount, currency_code(price.money.currency),
               price.condition == Condition::used ? "used" : "new", price.source.date,
               confidence_name(price.source.confidence), price.source.text);
  }
}

void print_price_list(const PriceList& prices) {
  fmt::print("price list {} (1 USD = {:g} EUR; {}, {})\n\n", prices.id, prices.rates.euros_per_usd,
             prices.rates_source.text, prices.rates_source.date);
  TextTable table({"item", ">price", "", "confidence", "date", "source"});
  for (const Price& price : prices.prices) {
    table.add({price.item, fmt::format("{:g} {}", price.money.amount, currency_code(price.money.currency)),
               price.condition == Condition::used ? "used" : "new",
               std::string(confidence_name(price.source.confidence)), price.source.date, price.source.text});
  }
  for (const Tariff& tariff : prices.tariffs) {
    table.add(
        {tariff.id,
         fmt::format("{:g} {}/kWh", tariff.per_kilowatt_hour.amount, currency_code(tariff.per_kilowatt_hour.currency)),
         tariff.hours ? "mean" : "", std::string(confidence_name(tariff.source.confidence)), tariff.source.date,
         tariff.source.text});
  }
  std::fputs(table.print(0).c_str(), stdout);
}

int show_model(const std::string& folder, const std::string& id) {
  Diagnostics warnings;
  const Result<ModelSpec> model = find_model(folder, id, warnings);
  if (!model) return print_bad_input(model.error());
  fmt::print("{} (model) {}\n{} layers, hidden {}, vocabulary {}, context {}, native format {}\nsource: {} ({})\n",
             model->id, model->name, model->layers.size(), model->hidden, model->vocabulary, model->max_context,
             model->native_format, model->source, model->date);
  return 0;
}

bool is_model_file(const std::string& path) {
  const Result<std::string> text = read_text_file(path, 4u << 20);
  return text && text->find("\"layers\"") != std::string::npos && text->find("\"hidden\"") != std::string::npos;
}

}  // namespace

int command_profiles_list(const Options& options) {
  const Result<std::vector<ProfileSheet>> sheets = read_profile_sheets(options.profiles_folder);
  if (!sheets) return print_bad_input(sheets.error());
  const Result<std::vector<std::string>> models = list_models(options.models_folder);
  if (!models) return print_bad_input(models.error());
  TextTable table({"kind", "id", "name", "headline", ">estimates"});
  for (const ProfileSheet& sheet : *sheets) {
    if (!options.filter.empty() && sheet.kind != options.filter && !holds(sheet.id, options.filter)) continue;
    table.add({sheet.kind, sheet.id, sheet.name, headline(sheet), fmt::format("{}", count_estimates(sheet))});
  }
  for (const std::string& id : *models) {
    if (options.filter.empty() || options.filter == "model" || holds(id, options.filter))
      table.add({"model", id, "", "", ""});
  }
  if (table.empty()) {
    std::fprintf(stderr, "oblea: nothing in the library holds \"%s\"\n", options.filter.c_str());
    return 2;
  }
  std::fputs(table.print(0).c_str(), stdout);
  return 0;
}

int command_profiles_show(const Options& options) {
  const Result<std::vector<ProfileSheet>> sheets = read_profile_sheets(options.profiles_folder);
  if (!sheets) return print_bad_input(sheets.error());
  const Result<ProfileLibrary> library = read_profile_library(options.profiles_folder);
  if (!library) return print_bad_input(library.error());
  if (options.input == library->prices.id) {
    print_price_list(library->prices);
    return 0;
  }
  bool found = false;
  std::vector<std::string> known;
  for (const ProfileSheet& sheet : *sheets) {
    known.push_back(sheet.id);
    if (sheet.id != options.input) continue;
    if (found) fmt::print("\n");
    print_sheet(sheet);
    found = true;
  }
  if (found) {
    print_prices(*library, options.input);
    return 0;
  }
  const Result<std::vector<std::string>> models = list_models(options.models_folder);
  if (models && std::find(models->begin(), models->end(), options.input) != models->end()) {
    return show_model(options.models_folder, options.input);
  }
  if (models) known.insert(known.end(), models->begin(), models->end());
  return print_bad_input({{Severity::error,
                           {},
                           fmt::format("no profile has the id \"{}\"", options.input),
                           suggest(options.input, known)}});
}

// The whole library: every profile, every model, every reference.
int check_library(const Options& options) {
  const Result<std::vector<ProfileSheet>> sheets = read_profile_sheets(options.profiles_folder);
  if (!sheets) return print_bad_input(sheets.error());
  const Result<ProfileLibrary> library = read_profile_library(options.profiles_folder);
  if (!library) return print_bad_input(library.error());
  const Result<std::vector<std::string>> models = list_models(options.models_folder);
  if (!models) return print_bad_input(models.error());
  Diagnostics found;
  for (const std::string& id : *models) {
    const Result<ModelSpec> model = find_model(options.models_folder, id, found);
    if (!model) found.insert(found.end(), model.error().begin(), model.error().end());
  }
  std::fputs(print_diagnostics(found).c_str(), stderr);
  if (has_errors(found)) return 2;
  fmt::print("{} profiles and {} models: complete\n", sheets->size(), models->size());
  return 0;
}

int command_profiles_check(const Options& options) {
  if (options.input.empty()) return check_library(options);
  Diagnostics found;
  if (is_model_file(options.input)) {
    const Result<ModelSpec> model = read_model(options.input, found);
    if (!model) found.insert(found.end(), model.error().begin(), model.error().end());
  } else {
    const Result<ProfileLibrary> library = read_profile_library(options.profiles_folder);
    if (!library) return print_bad_input(library.error());
    found = check_profile_file(options.input, *library);
  }
  std::fputs(print_diagnostics(found).c_str(), stderr);
  if (has_errors(found)) return 2;
  fmt::print("{}: complete\n", options.input);
  return 0;
}

}  // namespace oblea
