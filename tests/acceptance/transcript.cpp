#include "acceptance/transcript.hpp"

#include <sstream>

namespace oblea::test {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    lines.push_back(line);
  }
  return lines;
}

void trim(std::string& line) { line.erase(line.find_last_not_of(" \t\r") + 1); }

void trim_ends(std::vector<std::string>& lines) {
  for (std::string& line : lines) trim(line);
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
}

bool matches_from(const std::vector<std::string>& shown, std::size_t s, const std::vector<std::string>& actual,
                  std::size_t a) {
  for (; s < shown.size(); ++s, ++a) {
    if (shown[s] == "...") {
      for (std::size_t skip = a; skip <= actual.size(); ++skip) {
        if (matches_from(shown, s + 1, actual, skip)) return true;
      }
      return false;
    }
    if (a >= actual.size() || shown[s] != actual[a]) return false;
  }
  return a == actual.size();
}

}  // namespace

std::vector<Transcript> read_transcripts(const std::string& markdown) {
  std::vector<Transcript> transcripts;
  bool in_block = false, in_command = false;
  int number = 0;
  std::vector<std::string> lines = lines_of(markdown);
  trim_ends(lines);
  for (const std::string& line : lines) {
    ++number;
    if (line.starts_with("```")) {
      in_block = !in_block && line == "```console";
      in_command = false;
    } else if (in_block && line.starts_with("$ ")) {
      transcripts.push_back({number, line.substr(2), {}});
      in_command = true;
    } else if (in_command) {
      transcripts.back().output.push_back(line);
    }
  }
  return transcripts;
}

std::vector<std::string> split_words(const std::string& command) {
  std::vector<std::string> words;
  std::string word;
  bool open = false;
  char quote = 0;
  for (const char c : command) {
    if (quote != 0) {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (c == '"' || c == '\'') {
      quote = c;
      open = true;
    } else if (c == ' ') {
      if (open) words.push_back(word);
      word.clear();
      open = false;
    } else {
      word += c;
      open = true;
    }
  }
  if (open) words.push_back(word);
  return words;
}

bool output_matches(const std::vector<std::string>& shown, const std::string& actual) {
  std::vector<std::string> wanted = shown;
  std::vector<std::string> got = lines_of(actual);
  trim_ends(wanted);
  trim_ends(got);
  return matches_from(wanted, 0, got, 0);
}

std::string with_output(const std::string& markdown, const Transcript& transcript, const std::string& actual) {
  std::string text;
  int number = 0;
  const int last = transcript.line + static_cast<int>(transcript.output.size());
  for (const std::string& line : lines_of(markdown)) {
    ++number;
    if (number > transcript.line && number <= last) continue;
    text += line + "\n";
    if (number == transcript.line) text += actual;
  }
  return text;
}

}  // namespace oblea::test
