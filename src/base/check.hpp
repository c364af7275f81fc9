// OBLEA_CHECK: an assertion that stays on in release builds. It guards against our own bugs, never against bad input.
#pragma once

namespace oblea {

[[noreturn]] void check_failed(const char* condition, const char* file, int line, const char* explanation);

// Context that a failed check prints besides its place, so that the run can be repeated.
void set_check_context(unsigned long long seed, const char* input_hash);

}  // namespace oblea

#define OBLEA_CHECK(condition, explanation) \
  ((condition) ? static_cast<void>(0) : ::oblea::check_failed(#condition, __FILE__, __LINE__, explanation))
