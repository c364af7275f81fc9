// PartName: the words of a product's name that tell it from its neighbours, whoever wrote the name.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "units/quantity.hpp"

namespace oblea {

struct PartName {
  std::set<std::string> words;  // "rtx", "3090", "ti"
  std::optional<Bytes> memory;  // "80GB" in the name
  int count = 1;                // "2x Intel Xeon ...": a pair
};

// Makers, trade marks and empty words (GPU, Graphics, Edition, 16-Core, @ 2.40GHz) are dropped, "Mobile" and "Laptop"
// are one, SXM2 to SXM6 are SXM. What stands in round brackets is a remark, in square ones the name itself (pci.ids).
// Examples: "NVIDIA GeForce RTX 3080 Ti" is {rtx, 3080, ti}; "NVIDIA A100-SXM4-80GB" is {a100, sxm} with 80 GiB;
// "NVIDIA H100 80GB HBM3" is {h100, sxm}, for HBM3 went on no other H100; "13th Gen Intel(R) Core(TM) i5-13400" is
// {i5, 13400}; "Intel(R) Xeon(R) CPU E5-2680 v4 @ 2.40GHz" is {xeon, e5, 2680, v4}.
PartName read_part_name(std::string_view name);

// Every word of a text, brackets and all: to look for a product's words in what the firmware says.
std::set<std::string> words_of(std::string_view text);

// Words in both over words in either: 1 for equal sets, 0 where nothing is shared.
double likeness(const PartName& a, const PartName& b);

// True where a word with a digit, which names the model, is in both.
bool share_model_number(const PartName& a, const PartName& b);

}  // namespace oblea
