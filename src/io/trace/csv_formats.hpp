// CsvFormats: the columns of the request traces in CSV that are known, and which of them a header names.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace oblea {

struct CsvFormat {
  const char* name;
  std::array<const char*, 3> needed;  // arrival, prompt tokens, answer tokens; small letters
  bool dates;                         // arrivals are dates with a time of day, else seconds
  bool recorded;
};

// Sources: Azure/AzurePublicDataset, AzureLLMInferenceDataset2023.md and 2024.md (Splitwise, DynamoLLM);
// HPMLL/BurstGPT, data/BurstGPT_1.csv, 2 and 3. Read 2026-12.
inline constexpr CsvFormat kCsvFormats[] = {
    {"oblea's own", {"arrival_s", "prompt_tokens", "output_tokens"}, false, false},
    {"Azure LLM inference trace", {"timestamp", "contexttokens", "generatedtokens"}, true, true},
    {"BurstGPT", {"timestamp", "request tokens", "response tokens"}, false, true},
};

// Where the columns stand that are read; -1: it has none such.
struct CsvColumns {
  const CsvFormat* format = nullptr;  // the one of which the header names most
  std::array<int, 3> needed{-1, -1, -1};
  int prefix = -1;
  int prefix_tokens = -1;
  bool whole = false;  // all that are needed are there
};

// `names`: trimmed, in small letters; at least one.
CsvColumns find_csv_columns(const std::vector<std::string>& names);

}  // namespace oblea
