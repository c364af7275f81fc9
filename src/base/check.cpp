#include "base/check.hpp"

#include <cstdio>
#include <cstdlib>

namespace oblea {
namespace {

struct CheckContext {
  unsigned long long seed = 0;
  char input_hash[32] = "none";
};

CheckContext check_context;

}  // namespace

void set_check_context(unsigned long long seed, const char* input_hash) {
  check_context.seed = seed;
  std::snprintf(check_context.input_hash, sizeof check_context.input_hash, "%s", input_hash);
}

void check_failed(const char* condition, const char* file, int line, const char* explanation) {
  std::fprintf(stderr,
               "oblea: internal error, please report it: %s (%s)\n  at %s:%d, version %s, seed %llu, input %s\n",
               explanation, condition, file, line, OBLEA_VERSION, check_context.seed, check_context.input_hash);
  std::abort();
}

}  // namespace oblea
