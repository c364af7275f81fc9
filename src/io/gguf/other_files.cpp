#include "io/gguf/other_files.hpp"

#include <algorithm>
#include <array>

#include <fmt/core.h>

namespace oblea {
namespace {

struct Signature {
  std::string_view start;
  std::string_view words;
};

constexpr std::array<Signature, 14> kSignatures{{
    {"version https://git-lfs", "it is a git-lfs pointer, not the file itself; fetch it with `git lfs pull`"},
    {"<", "it looks like an HTML page, perhaps the error page of a download"},
    {"{", "it looks like JSON; a model's config.json is imported under its own name"},
    {"[", "it looks like JSON"},
    {"lmgg", "it has the format of llama.cpp before March 2023, without geometry by name"},
    {"fmgg", "it has the format of llama.cpp of March 2023, without geometry by name"},
    {"tjgg", "it has the format of llama.cpp before August 2023 (GGJT), without geometry by name"},
    {"algg", "it is an old LoRA adapter (GGLA)"},
    {"PK\x03\x04",
     "it looks like a PyTorch checkpoint or another ZIP archive; convert it to GGUF or safetensors first"},
    {"\x80\x02", "it looks like a Python pickle, such as an old PyTorch checkpoint"},
    {"\x1f\x8b", "it is compressed with gzip; unpack it first"},
    {"FUGG", "it is a GGUF whose magic bytes are swapped, as no writer makes it"},
    {"Entry not found", "it is the answer of a server that has no such file"},
    {"Invalid username", "it is the answer of a server that wants a login"},
}};

// Eight bytes of length, then the JSON of the header.
bool is_safetensors(std::string_view start) {
  return start.size() > 9 && start[8] == '{' && (start[9] == '"' || start[9] == ' ' || start[9] == '}') &&
         start[7] == '\0' && start[6] == '\0';
}

}  // namespace

std::string describe_other_file(std::string_view start) {
  if (start.empty()) return "the file is empty";
  if (std::all_of(start.begin(), start.end(), [](char c) { return c == '\0'; })) {
    return "it starts with zeros, as a download does that has only set space aside";
  }
  if (is_safetensors(start)) return "it looks like safetensors; import the config.json beside it";
  for (const Signature& signature : kSignatures) {
    if (start.starts_with(signature.start)) return std::string(signature.words);
  }
  if (std::string_view("GGUF").starts_with(start)) return "it ends inside the four letters that a GGUF starts with";
  std::string hex;
  for (const char c : start.substr(0, 4)) hex += fmt::format(" {:02x}", static_cast<unsigned char>(c));
  return fmt::format("it starts with the bytes{}, not with \"GGUF\"", hex);
}

}  // namespace oblea
