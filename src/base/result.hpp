// Result: a value, or the complete list of what was wrong with the input.
#pragma once

#include <tl/expected.hpp>

#include "base/diagnostic.hpp"

namespace oblea {

template <class T>
using Result = tl::expected<T, Diagnostics>;

inline tl::unexpected<Diagnostics> fail(Diagnostics diagnostics) {
  return tl::unexpected<Diagnostics>(std::move(diagnostics));
}

inline tl::unexpected<Diagnostics> fail(std::string message, std::string hint = {}) {
  return fail(Diagnostics{Diagnostic{Severity::error, {}, std::move(message), std::move(hint)}});
}

}  // namespace oblea
