#include "bocs/numeric/rng.hpp"

#include <bit>
#include <cmath>

#include "bocs/base/error.hpp"

// xoshiro256++ [BV21] seeded through splitmix64; ziggurat for normal and exponential [MT00]; gamma after [MT00b].
// Keys: docs/references.md.

namespace bocs {
namespace {

std::uint64_t splitmix(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

std::uint64_t hash(std::uint64_t h, std::uint64_t value) {
  h ^= value;
  return splitmix(h);
}

/// Layers of equal area under a decreasing density f on [0, inf): x[i] is the right edge of layer i, x[0] the width of
/// the base layer (the tail swept into a rectangle).
struct Ziggurat {
  static constexpr int kLayers = 256;
  std::array<double, kLayers + 1> x{};
  std::array<double, kLayers + 1> f{};

  template <class Density, class Inverse>
  Ziggurat(double edge, double area, Density density, Inverse inverse) {
    x[0] = area / density(edge);
    x[1] = edge;
    for (int i = 2; i < kLayers; ++i) x[i] = inverse(area / x[i - 1] + density(x[i - 1]));
    x[kLayers] = 0;
    for (int i = 0; i <= kLayers; ++i) f[i] = density(x[i]);
  }
};

// Edge of the tail and area of a layer for 256 layers, from the equation "256 equal areas fill the density" [MT00].
constexpr double kNormalEdge = 3.6541528853610088;
constexpr double kNormalArea = 0.00492867323399;
constexpr double kExponentialEdge = 7.69711747013104972;
constexpr double kExponentialArea = 0.0039496598225815571993;

const Ziggurat& normal_ziggurat() {
  static const Ziggurat table(
      kNormalEdge, kNormalArea, [](double x) { return std::exp(-0.5 * x * x); },
      [](double f) { return std::sqrt(-2 * std::log(f)); });
  return table;
}

const Ziggurat& exponential_ziggurat() {
  static const Ziggurat table(
      kExponentialEdge, kExponentialArea, [](double x) { return std::exp(-x); }, [](double f) { return -std::log(f); });
  return table;
}

double unit(std::uint64_t bits) { return (static_cast<double>(bits >> 12) + 0.5) * 0x1p-52; }

}  // namespace

Rng::Rng(std::uint64_t seed, std::string_view purpose, std::uint64_t index) {
  std::uint64_t h = hash(0x626f6373ULL, seed);
  for (const char c : purpose) h = hash(h, static_cast<unsigned char>(c));
  h = hash(h, 0x100ULL + purpose.size());
  h = hash(h, index);
  for (auto& word : state_) word = splitmix(h);
}

Rng Rng::fork(std::uint64_t index) const {
  std::uint64_t h = 0x666f726bULL;
  for (const auto word : state_) h = hash(h, word);
  return Rng(h, "fork", index);
}

std::uint64_t Rng::bits() {
  auto& s = state_;
  const std::uint64_t result = std::rotl(s[0] + s[3], 23) + s[0];
  const std::uint64_t t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = std::rotl(s[3], 45);
  return result;
}

std::uint32_t Rng::below(std::uint32_t n) {
  // Multiply-and-reject: unbiased, one division in the rare slow path [Lem19].
  std::uint64_t product = (bits() >> 32) * n;
  if (static_cast<std::uint32_t>(product) < n) {
    const std::uint32_t threshold = (0u - n) % n;
    while (static_cast<std::uint32_t>(product) < threshold) product = (bits() >> 32) * n;
  }
  return static_cast<std::uint32_t>(product >> 32);
}

double Rng::uniform() { return unit(bits()); }

double Rng::normal() {
  static const Ziggurat& z = normal_ziggurat();
  for (;;) {
    const std::uint64_t b = bits();
    const int i = static_cast<int>(b & 255);
    const double sign =
        1 - 2 * static_cast<double>(b >> 8 & 1);  // without a branch, which would be missed half the time
    const double x = unit(b) * z.x[i];
    if (x < z.x[i + 1]) return sign * x;
    if (i == 0) {  // the tail beyond the edge
      double tail = 0;
      do tail = exponential() / kNormalEdge;
      while (2 * exponential() < tail * tail);
      return sign * (kNormalEdge + tail);
    }
    if (z.f[i + 1] + uniform() * (z.f[i] - z.f[i + 1]) < std::exp(-0.5 * x * x)) return sign * x;
  }
}

double Rng::exponential() {
  static const Ziggurat& z = exponential_ziggurat();
  double shift = 0;  // memoryless: a draw beyond the edge is the edge plus a new draw
  for (;;) {
    const std::uint64_t b = bits();
    const int i = static_cast<int>(b & 255);
    const double x = unit(b) * z.x[i];
    if (x < z.x[i + 1]) return shift + x;
    if (i == 0) {
      shift += kExponentialEdge;
    } else if (z.f[i + 1] + uniform() * (z.f[i] - z.f[i + 1]) < std::exp(-x)) {
      return shift + x;
    }
  }
}

double Rng::gamma(double shape) {
  require(shape > 0, "gamma: the shape must be positive");
  if (shape < 1) return gamma(shape + 1) * std::pow(uniform(), 1 / shape);
  const double d = shape - 1.0 / 3;
  const double c = 1 / std::sqrt(9 * d);
  for (;;) {
    const double x = normal();
    const double v = 1 + c * x;
    if (v <= 0) continue;
    const double v3 = v * v * v;
    const double u = uniform();
    if (u < 1 - 0.0331 * x * x * x * x) return d * v3;
    if (std::log(u) < 0.5 * x * x + d * (1 - v3 + std::log(v3))) return d * v3;
  }
}

double Rng::inverse_gamma(double shape, double scale) { return scale / (shape == 1 ? exponential() : gamma(shape)); }

double Rng::beta(double a, double b) {
  const double x = gamma(a);
  const double y = gamma(b);
  if (x + y > 0) return x / (x + y);
  return uniform() * (a + b) < a ? 1 : 0;  // both underflow: the law is nearly that of a coin
}

}  // namespace bocs
