#pragma once
// Random numbers as named streams: a generator is a function of (seed, purpose, index), never of what ran before it.
// The distributions are our own, because those of the standard library differ between implementations.

#include <array>
#include <cstdint>
#include <string_view>

namespace bocs {

class Rng {
 public:
  /// The stream called `purpose`, number `index`, of the family `seed`.
  explicit Rng(std::uint64_t seed, std::string_view purpose = {}, std::uint64_t index = 0);

  /// An independent stream for part `index` of a loop that may be split over threads. Does not advance *this.
  [[nodiscard]] Rng fork(std::uint64_t index) const;

  std::uint64_t bits();                              // 64 uniform bits
  std::uint32_t below(std::uint32_t n);              // uniform on {0, ..., n-1}; n >= 1
  double uniform();                                  // uniform on the open interval (0, 1)
  double normal();                                   // N(0, 1)
  double exponential();                              // density exp(-x), x > 0
  double gamma(double shape);                        // density ~ x^(shape-1) exp(-x)
  double inverse_gamma(double shape, double scale);  // density ~ x^-(shape+1) exp(-scale/x)
  double beta(double a, double b);                   // density ~ x^(a-1) (1-x)^(b-1)

 private:
  std::array<std::uint64_t, 4> state_;
};

}  // namespace bocs
