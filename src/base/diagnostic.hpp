// Diagnostic: one fault in what the user gave us, with its place, the text at fault and a hint.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace oblea {

// A place in a file; line and column start at 1 and count bytes, 0 means unknown. `source_line` is the text of that
// line.
struct SourcePlace {
  std::string file;
  int line = 0;
  int column = 0;
  int length = 1;  // bytes underlined by the caret
  std::string source_line;
  int cut = 0;  // bytes of the line left out before `source_line`, where a whole file is one line
};

// `environment`: nothing is wrong with the input; memory or a process was lacking, a run was killed.
enum class Severity { warning, error, environment };

struct Diagnostic {
  Severity severity = Severity::error;
  SourcePlace place;
  std::string message;
  std::string hint;  // what to do about it; may be empty
};

using Diagnostics = std::vector<Diagnostic>;

bool has_errors(const Diagnostics& diagnostics);

// "scenario.json:12:15: error: unknown key \"bugdet\"\n    \"bugdet\": ...\n    ^~~~~~~~\n  hint: did you mean
// \"budget\"?\n" Tabs are shown as spaces, other control characters as '?'; long lines are cut around the caret.
std::string print_diagnostic(const Diagnostic& diagnostic);
std::string print_diagnostics(const Diagnostics& diagnostics);

}  // namespace oblea
