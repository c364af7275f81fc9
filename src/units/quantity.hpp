// Quantity: a number that knows its dimension, so that seconds plus bytes does not compile.
//
// Every quantity is a double in base units (byte, flop, second, joule, kelvin, token). Byte and flop counts stay exact
// up to 2^53 (9.0e15), which is three thousand times the largest model here; `llm` counts in std::int64_t and converts
// last. Why not a packaged unit library: they cost 0.4 to 1.7 s of compile time a file and have neither tokens nor
// money.
#pragma once

#include <compare>

namespace oblea {

// Exponents of the base dimensions: bytes, floating point operations, seconds, joules, kelvins, tokens.
struct Dimension {
  int byte = 0;
  int flop = 0;
  int second = 0;
  int joule = 0;
  int kelvin = 0;
  int token = 0;
  friend constexpr bool operator==(const Dimension&, const Dimension&) = default;
};

constexpr Dimension multiply(Dimension a, Dimension b) {
  return {a.byte + b.byte,   a.flop + b.flop,     a.second + b.second,
          a.joule + b.joule, a.kelvin + b.kelvin, a.token + b.token};
}
constexpr Dimension invert(Dimension a) { return {-a.byte, -a.flop, -a.second, -a.joule, -a.kelvin, -a.token}; }

template <Dimension D>
class Quantity {
 public:
  constexpr Quantity() = default;
  constexpr explicit Quantity(double base_value) : value_(base_value) {}

  // The number in base units: bytes, seconds, watts (J/s), ...
  constexpr double value() const { return value_; }

  constexpr Quantity& operator+=(Quantity other) {
    value_ += other.value_;
    return *this;
  }
  constexpr Quantity& operator-=(Quantity other) {
    value_ -= other.value_;
    return *this;
  }
  constexpr Quantity& operator*=(double factor) {
    value_ *= factor;
    return *this;
  }
  constexpr Quantity& operator/=(double factor) {
    value_ /= factor;
    return *this;
  }

  friend constexpr Quantity operator+(Quantity a, Quantity b) { return Quantity(a.value_ + b.value_); }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return Quantity(a.value_ - b.value_); }
  friend constexpr Quantity operator-(Quantity a) { return Quantity(-a.value_); }
  friend constexpr Quantity operator*(Quantity a, double factor) { return Quantity(a.value_ * factor); }
  friend constexpr Quantity operator*(double factor, Quantity a) { return Quantity(a.value_ * factor); }
  friend constexpr Quantity operator/(Quantity a, double factor) { return Quantity(a.value_ / factor); }
  friend constexpr auto operator<=>(Quantity a, Quantity b) = default;

 private:
  double value_ = 0;
};

template <Dimension A, Dimension B>
constexpr auto operator*(Quantity<A> a, Quantity<B> b) {
  constexpr Dimension product = multiply(A, B);
  if constexpr (product == Dimension{}) {
    return a.value() * b.value();
  } else {
    return Quantity<product>(a.value() * b.value());
  }
}

template <Dimension A, Dimension B>
constexpr auto operator/(Quantity<A> a, Quantity<B> b) {
  constexpr Dimension ratio = multiply(A, invert(B));
  if constexpr (ratio == Dimension{}) {
    return a.value() / b.value();
  } else {
    return Quantity<ratio>(a.value() / b.value());
  }
}

template <Dimension D>
constexpr auto operator/(double a, Quantity<D> b) {
  return Quantity<invert(D)>(a / b.value());
}

using Bytes = Quantity<Dimension{.byte = 1}>;
using Flops = Quantity<Dimension{.flop = 1}>;  // a count of operations, not a rate
using Seconds = Quantity<Dimension{.second = 1}>;
using Joules = Quantity<Dimension{.joule = 1}>;
using Kelvins = Quantity<Dimension{.kelvin = 1}>;  // a temperature difference
using Tokens = Quantity<Dimension{.token = 1}>;
using Hertz = Quantity<Dimension{.second = -1}>;
using BytesPerSecond = Quantity<Dimension{.byte = 1, .second = -1}>;
using FlopsPerSecond = Quantity<Dimension{.flop = 1, .second = -1}>;
using Watts = Quantity<Dimension{.second = -1, .joule = 1}>;
using WattsPerKelvin = Quantity<Dimension{.second = -1, .joule = 1, .kelvin = -1}>;
using KelvinsPerWatt = Quantity<Dimension{.second = 1, .joule = -1, .kelvin = 1}>;
using TokensPerSecond = Quantity<Dimension{.second = -1, .token = 1}>;
using BytesPerToken = Quantity<Dimension{.byte = 1, .token = -1}>;

inline constexpr Seconds kSecond{1};
inline constexpr Seconds kMicrosecond{1e-6};
inline constexpr Seconds kHour{3600};
inline constexpr Bytes kGB{1e9};
inline constexpr Bytes kMiB{1048576.0};
inline constexpr Bytes kGiB{1073741824.0};
inline constexpr Joules kKilowattHour{3.6e6};

// A temperature on the Celsius scale. Adding two temperatures means nothing, so only differences add.
class Celsius {
 public:
  constexpr Celsius() = default;
  constexpr explicit Celsius(double degrees) : degrees_(degrees) {}
  constexpr double value() const { return degrees_; }
  friend constexpr Celsius operator+(Celsius t, Kelvins d) { return Celsius(t.degrees_ + d.value()); }
  friend constexpr Celsius operator-(Celsius t, Kelvins d) { return Celsius(t.degrees_ - d.value()); }
  friend constexpr Kelvins operator-(Celsius a, Celsius b) { return Kelvins(a.degrees_ - b.degrees_); }
  friend constexpr auto operator<=>(Celsius a, Celsius b) = default;

 private:
  double degrees_ = 0;
};

}  // namespace oblea
