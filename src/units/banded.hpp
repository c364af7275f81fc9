// Banded: a figure with the range in which the true one is expected. The band comes from validation or from the
// spread of the data named beside it, and is not a guarantee.
#pragma once

namespace oblea {

template <class Q>
struct Banded {
  Q value{};
  Q low{};
  Q high{};
};

}  // namespace oblea
