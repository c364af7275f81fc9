// Is a JSON text valid by one of the published schemas (hardware-profiles/schemas)?
#pragma once

#include <string>

namespace oblea::test {

// "" when it is valid, else every fault with the path of the value. The name is that of the file: "report" for
// report.schema.json.
std::string schema_faults(const std::string& schema, const std::string& json_text);

// The schema as it is written.
std::string schema_text(const std::string& schema);

}  // namespace oblea::test
