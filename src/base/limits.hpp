// Limits: every bound on input and search, in one place. Each is tested at the limit and one past it.
#pragma once

#include <cstddef>

namespace oblea {

inline constexpr std::size_t kMaxInputBytes = 4u << 20;          // a scenario or profile file
inline constexpr std::size_t kMaxJsonValues = 100'000;           // numbers, strings, arrays and objects in one file
inline constexpr int kMaxJsonDepth = 64;                         // nesting of brackets
inline constexpr std::size_t kMaxDiagnostics = 100;              // printed at once; the rest is counted
inline constexpr int kMaxDevices = 4096;                         // in one cluster
inline constexpr int kMaxLayers = 4096;                          // of one model
inline constexpr int kMaxNodes = 1024;                           // in one scenario
inline constexpr std::size_t kMaxClaims = 200;                   // in one scenario; each may read it once more
inline constexpr std::size_t kMaxExtends = 16;                   // scenario files that extend each other in a chain
inline constexpr double kMaxContextTokens = 16.0 * 1024 * 1024;  // per request
inline constexpr double kMaxUsers = 1e6;                         // concurrent requests
inline constexpr int kMaxReplicas = 256;                         // of the model in one scenario
inline constexpr std::size_t kMaxFailures = 10'000;              // given or by chance, in one run

// A GGUF header. Lengths are also held against what is left of the file before anything is set aside for them.
inline constexpr std::size_t kMaxGgufKeys = 131'072;
inline constexpr std::size_t kMaxGgufTensors = 131'072;         // a mixture of experts in one tensor an expert: 46,848
inline constexpr std::size_t kMaxGgufKeyBytes = 65'535;         // of a key's name; the format's own limit
inline constexpr std::size_t kMaxGgufTensorNameBytes = 1'024;   // llama.cpp takes 63
inline constexpr std::size_t kMaxGgufKeptText = 4'096;          // bytes kept of a text; chat templates are longer
inline constexpr std::size_t kMaxGgufKeptArray = 4'096;         // longer arrays (vocabularies) are counted, not kept
inline constexpr unsigned kMaxGgufAlignment = 65'536;           // of tensor data, bytes
inline constexpr std::size_t kMaxGgufTensorBytes = 1ull << 44;  // one tensor
inline constexpr std::size_t kMaxGgufShards = 256;              // files of one set
inline constexpr int kMaxGgufWidth = 1 << 24;                   // one number of a model's geometry

// A request trace.
inline constexpr std::size_t kMaxTraceBytes = 256u << 20;
inline constexpr std::size_t kMaxTraceRows = 1'000'000;
inline constexpr std::size_t kMaxTraceLineBytes = 1u << 20;       // a prompt of 16 Mi tokens names 32,768 blocks
inline constexpr std::size_t kMaxTraceBlocks = 4'000'000;         // different blocks of prompts, in the whole trace
inline constexpr double kMaxTraceSeconds = 10 * 365.25 * 86'400;  // first to last arrival

// The safetensors beside a config.json.
inline constexpr std::size_t kMaxSafetensorsHeaderBytes = 100'000'000;  // of one file; the format's own limit
inline constexpr std::size_t kMaxSafetensorsIndexBytes = 256u << 20;    // Kimi K3 names half a million tensors
inline constexpr std::size_t kMaxSafetensorsShards = 4'096;             // files of one model

}  // namespace oblea
