#include "study/part_name.hpp"

#include <algorithm>
#include <cstdlib>
#include <regex>
#include <utility>
#include <vector>

#include "base/lower_case.hpp"

namespace oblea {
namespace {

constexpr std::size_t kMaxLetters = 200;  // of a name; regular expressions recurse

const std::set<std::string> kEmptyWords = {
    "nvidia", "geforce",   "amd",    "ati",     "intel",    "apple",       "radeon",      "instinct",
    "arc",    "tesla",     "quadro", "gpu",     "graphics", "gen",         "cpu",         "generation",
    "core",   "processor", "cores",  "edition", "server",   "workstation", "corporation", "oam",
    "ac",     "13th",      "12th",   "14th",    "11th",     "10th",        "mellanox",    "realtek"};

// Compiled once: every name is held against every profile's.
struct Patterns {
  std::regex count{R"(^\s*(\d)x\s)"};
  std::regex square{R"(\[([^\]]+)\])"};
  std::regex trade_mark{R"(\(r\)|\(tm\)|\(c\))"};
  std::regex remark{R"(\([^)]*\)|@.*|\bw/.*|\bwith\b.*|\b\d+-cores?\b)"};
  std::regex memory{R"(\b(\d+)\s?gi?b\b)"};
};

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : text + " ") {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+';
    if (letter) word += c;
    if (!letter && !word.empty()) words.push_back(std::exchange(word, ""));
  }
  return words;
}

bool holds_digit(const std::string& word) {
  return std::any_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::set<std::string> words_of(std::string_view text) {
  const std::vector<std::string> words = split(lower_case(std::string(text.substr(0, kMaxLetters))));
  return {words.begin(), words.end()};
}

PartName read_part_name(std::string_view name) {
  static const Patterns patterns;
  PartName part;
  std::string text = lower_case(std::string(name.substr(0, kMaxLetters)));
  std::smatch found;
  if (std::regex_search(text, found, patterns.count)) {
    part.count = std::atoi(found[1].str().c_str());
    text = found.suffix().str();
  }
  if (std::regex_search(text, found, patterns.square)) text = found[1].str();
  text = std::regex_replace(text, patterns.trade_mark, " ");
  text = std::regex_replace(text, patterns.remark, " ");
  if (std::regex_search(text, found, patterns.memory)) {
    part.memory = kGiB * std::atof(found[1].str().c_str());
    text = std::regex_replace(text, patterns.memory, " ");
  }
  for (const std::string& word : split(text)) {
    if (kEmptyWords.contains(word)) continue;
    if (word == "mobile")
      part.words.insert("laptop");
    else if (word.starts_with("sxm") || word == "hbm3")
      part.words.insert("sxm");
    else
      part.words.insert(word);
  }
  // NVIDIA gives the module its plain name and the card the suffix NVL.
  if (part.words == std::set<std::string>{"h200"} || part.words == std::set<std::string>{"b200"})
    part.words.insert("sxm");
  return part;
}

double likeness(const PartName& a, const PartName& b) {
  const auto both = std::count_if(a.words.begin(), a.words.end(), [&](const auto& w) { return b.words.contains(w); });
  const double either = static_cast<double>(a.words.size() + b.words.size()) - static_cast<double>(both);
  return either > 0 ? static_cast<double>(both) / either : 0;
}

bool share_model_number(const PartName& a, const PartName& b) {
  return std::any_of(a.words.begin(), a.words.end(),
                     [&](const std::string& word) { return holds_digit(word) && b.words.contains(word); });
}

}  // namespace oblea
