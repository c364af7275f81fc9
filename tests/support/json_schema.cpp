#include "support/json_schema.hpp"

#include <map>
#include <memory>
#include <stdexcept>

#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include "support/temporary_folder.hpp"

namespace oblea::test {
namespace {

const valijson::Schema& read_schema(const std::string& name) {
  static std::map<std::string, std::unique_ptr<valijson::Schema>> cache;
  std::unique_ptr<valijson::Schema>& schema = cache[name];
  if (schema == nullptr) {
    const nlohmann::json json = nlohmann::json::parse(schema_text(name));
    schema = std::make_unique<valijson::Schema>();
    valijson::SchemaParser parser(valijson::SchemaParser::kDraft7);
    parser.populateSchema(valijson::adapters::NlohmannJsonAdapter(json), *schema);
  }
  return *schema;
}

}  // namespace

std::string schema_text(const std::string& name) {
  const std::string path = std::string(OBLEA_SOURCE_DIRECTORY) + "/hardware-profiles/schemas/" + name + ".schema.json";
  const std::string text = read_file(path);
  if (text.empty()) throw std::runtime_error("no schema at " + path);
  return text;
}

std::string schema_faults(const std::string& name, const std::string& json_text) {
  const nlohmann::json json = nlohmann::json::parse(json_text, nullptr, false);
  if (json.is_discarded()) return "not JSON";
  valijson::Validator validator;
  valijson::ValidationResults results;
  if (validator.validate(read_schema(name), valijson::adapters::NlohmannJsonAdapter(json), &results)) return "";
  std::string faults;
  for (valijson::ValidationResults::Error error; results.popError(error);) {
    for (const std::string& part : error.context) faults += part;
    faults += ": " + error.description + "\n";
  }
  return faults.empty() ? "invalid" : faults;
}

}  // namespace oblea::test
