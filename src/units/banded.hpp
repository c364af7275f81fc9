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

// `times` the part, all ends erring to the same side. Example: 10 (8 to 12) and twice 3 (2 to 5): 16 (12 to 22).
template <class Q>
void add(Banded<Q>& sum, const Banded<Q>& part, double times = 1) {
  sum.value += part.value * times;
  sum.low += part.low * times;
  sum.high += part.high * times;
}

}  // namespace oblea
