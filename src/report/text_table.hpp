// TextTable: columns that line up, numbers to the right.
#pragma once

#include <string>
#include <vector>

namespace oblea {

class TextTable {
 public:
  // A heading that starts with '>' makes its column flush right.
  explicit TextTable(std::vector<std::string> headings);
  void add(std::vector<std::string> cells);  // control characters are shown as '?'
  bool empty() const { return rows_.empty(); }
  std::string print(int indent = 2) const;

 private:
  std::vector<std::string> headings_;
  std::vector<bool> right_;
  std::vector<std::vector<std::string>> rows_;
};

// Text broken at spaces into lines of at most `width`, each indented; control characters are shown as '?'.
std::string wrap_text(const std::string& text, int width, int indent);

}  // namespace oblea
