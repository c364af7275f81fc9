#include "report/text_table.hpp"

#include <algorithm>
#include <sstream>

#include "base/printable.hpp"

namespace oblea {

TextTable::TextTable(std::vector<std::string> headings) {
  for (std::string& heading : headings) {
    const bool right = !heading.empty() && heading.front() == '>';
    right_.push_back(right);
    headings_.push_back(right ? heading.substr(1) : heading);
  }
}

void TextTable::add(std::vector<std::string> cells) {
  cells.resize(headings_.size());
  for (std::string& cell : cells) cell = printable(cell);
  rows_.push_back(std::move(cells));
}

std::string TextTable::print(int indent) const {
  std::vector<std::size_t> widths;
  for (std::size_t column = 0; column < headings_.size(); ++column) {
    std::size_t width = count_letters(headings_[column]);
    for (const auto& row : rows_) width = std::max(width, count_letters(row[column]));
    widths.push_back(width);
  }
  std::string text;
  const auto print_row = [&](const std::vector<std::string>& row) {
    std::string line(static_cast<std::size_t>(indent), ' ');
    for (std::size_t column = 0; column < row.size(); ++column) {
      const std::string padding(widths[column] - count_letters(row[column]), ' ');
      line += right_[column] ? padding + row[column] : row[column] + padding;
      line += "  ";
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  };
  print_row(headings_);
  for (const auto& row : rows_) print_row(row);
  return text;
}

std::string wrap_text(const std::string& text, int width, int indent) {
  const std::string margin(static_cast<std::size_t>(indent), ' ');
  std::istringstream words(text);
  std::string word, line, wrapped;
  while (words >> word) {
    word = printable(word);
    if (!line.empty() && count_letters(line) + 1 + count_letters(word) > static_cast<std::size_t>(width - indent)) {
      wrapped += margin + line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return line.empty() ? wrapped : wrapped + margin + line + "\n";
}

}  // namespace oblea
