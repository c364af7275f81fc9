// Replays a corpus through one fuzz target, then damages its files at random until the time is up: what CI runs, where
// there is no libFuzzer. A fault leaves the input that caused it in a file, to be put into the corpus when it is
// mended.
//
//   json_fuzzer FOLDER [SECONDS] [SEED]
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "base/hash.hpp"
#include "base/random.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

constexpr std::size_t kLargestInput = 1 << 16;
constexpr rlim_t kMemory = 3ull << 30;  // of the process; a parser that asks for more fails
constexpr unsigned kSlowest = 20;       // seconds of one input

std::string current;  // what is being tried, for the handler

// Only calls that a signal handler may make.
void save_and_leave(int signal) {
  char name[] = "fuzz-fault.bin";
  const int file = ::creat(name, 0644);
  if (file >= 0) {
    const char* left = current.data();
    for (std::size_t size = current.size(); size > 0;) {
      const ssize_t n = ::write(file, left, size);
      if (n <= 0) break;
      left += n;
      size -= static_cast<std::size_t>(n);
    }
    ::close(file);
  }
  const char* words = signal == SIGALRM ? "found a fault: no answer in time; input in fuzz-fault.bin\n"
                                        : "found a fault: crashed; input in fuzz-fault.bin\n";
  [[maybe_unused]] const ssize_t n = ::write(STDERR_FILENO, words, std::strlen(words));
  ::_exit(1);
}

void run(std::string input) {
  current = std::move(input);
  ::alarm(kSlowest);
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(current.data()), current.size());
  ::alarm(0);
}

std::vector<std::string> read_corpus(const char* folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> corpus;
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    corpus.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return corpus;
}

// One random damage: a bit, a byte, a number, a piece cut out, doubled, or taken from another input.
class Damage {
 public:
  Damage(const std::vector<std::string>& corpus, std::uint64_t seed)
      : corpus_(corpus), stream_(oblea::make_random_stream(seed, "fuzz")) {}

  std::string next() {
    std::string input = corpus_[below(corpus_.size())];
    const std::size_t times = 1 + below(4);
    for (std::size_t i = 0; i < times; ++i) hurt(input);
    if (input.size() > kLargestInput) input.resize(kLargestInput);
    return input;
  }

 private:
  std::size_t below(std::size_t count) { return count == 0 ? 0 : stream_() % count; }

  void hurt(std::string& input) {
    const std::size_t at = below(input.size() + 1);
    const std::size_t length = std::min(below(64), input.size() - at);
    switch (below(7)) {
      case 0:
        if (at < input.size()) input[at] = static_cast<char>(input[at] ^ (1 << below(8)));
        break;
      case 1:
        if (at < input.size()) input[at] = static_cast<char>(stream_());
        break;
      case 2:
        overwrite_number(input, at);
        break;
      case 3:
        input.erase(at, length);
        break;
      case 4:
        input.insert(at, input.substr(at, length));
        break;
      case 5:
        input.resize(at);
        break;
      default:
        splice(input, at);
    }
  }

  // Lengths and counts at the edges of their types.
  void overwrite_number(std::string& input, std::size_t at) {
    constexpr std::uint64_t kEdges[] = {
        0,          1,          0x7F,       0xFF,       0x7FFF, 0xFFFF,           0x7FFFFFFF,
        0xFFFFFFFF, 1ull << 40, 1ull << 62, 1ull << 63, ~0ull,  (1ull << 32) + 1, 0xFFFFFFFFFFFFFFF0ull};
    const std::uint64_t value = kEdges[below(std::size(kEdges))];
    const std::size_t width = std::size_t{1} << below(4);
    if (at + width <= input.size()) std::memcpy(input.data() + at, &value, width);
  }

  void splice(std::string& input, std::size_t at) {
    const std::string& other = corpus_[below(corpus_.size())];
    const std::size_t from = below(other.size() + 1);
    input.insert(at, other.substr(from, below(256)));
  }

  const std::vector<std::string>& corpus_;
  oblea::RandomStream stream_;
};

}  // namespace

int main(int argument_count, char** arguments) {
  if (argument_count < 2) {
    std::fprintf(stderr, "usage: %s CORPUS_FOLDER [SECONDS] [SEED]\n", arguments[0]);
    return 2;
  }
  const double seconds = argument_count > 2 ? std::atof(arguments[2]) : 0;
  const std::uint64_t seed = argument_count > 3 ? std::strtoull(arguments[3], nullptr, 10) : 20261130;
  for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGALRM}) std::signal(signal, save_and_leave);
#if !defined(__SANITIZE_ADDRESS__)
  const rlimit limit{kMemory, kMemory};
  ::setrlimit(RLIMIT_AS, &limit);
#endif
  const std::vector<std::string> corpus = read_corpus(arguments[1]);
  if (corpus.empty()) {
    std::fprintf(stderr, "%s holds no inputs\n", arguments[1]);
    return 2;
  }
  for (const std::string& input : corpus) run(input);
  Damage damage(corpus, seed);
  std::size_t tried = 0;
  const auto start = std::chrono::steady_clock::now();
  while (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < seconds) {
    run(damage.next());
    ++tried;
  }
  std::printf("%zu inputs of the corpus and %zu damaged ones (seed %llu): no fault\n", corpus.size(), tried,
              static_cast<unsigned long long>(seed));
  return 0;
}
