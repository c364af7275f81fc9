#include "io/trace/csv_formats.hpp"

#include <algorithm>
#include <string_view>

namespace oblea {
namespace {

int index_of(const std::vector<std::string>& names, std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

}  // namespace

CsvColumns find_csv_columns(const std::vector<std::string>& names) {
  CsvColumns best;
  std::ptrdiff_t most = -1;
  for (const CsvFormat& format : kCsvFormats) {
    CsvColumns columns;
    columns.format = &format;
    std::transform(format.needed.begin(), format.needed.end(), columns.needed.begin(),
                   [&](const char* name) { return index_of(names, name); });
    const auto found = std::count_if(columns.needed.begin(), columns.needed.end(), [](int i) { return i >= 0; });
    if (found <= most) continue;
    most = found;
    columns.whole = found == 3;
    best = columns;
  }
  if (!best.format->recorded) {
    best.prefix = index_of(names, "prefix");
    best.prefix_tokens = index_of(names, "prefix_tokens");
  }
  return best;
}

}  // namespace oblea
