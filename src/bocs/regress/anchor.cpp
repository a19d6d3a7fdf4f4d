#include "bocs/regress/anchor.hpp"

#include <algorithm>
#include <bit>

namespace bocs {
namespace {

/// Two hashes of 64 bits of a sequence of numbers.
class Fingerprint {
 public:
  void add(std::uint64_t bits) {
    first_ = mix(first_ ^ bits);
    second_ = mix(second_ + bits * 0x9e3779b97f4a7c15ULL);
  }
  void add(double value) { add(std::bit_cast<std::uint64_t>(value)); }
  [[nodiscard]] AnchorCache::Key value() const { return {first_, second_}; }

 private:
  static std::uint64_t mix(std::uint64_t h) {  // a bijection that spreads every bit
    h = (h ^ (h >> 32)) * 0xd6e8feb86659fd93ULL;
    h = (h ^ (h >> 32)) * 0xd6e8feb86659fd93ULL;
    return h ^ (h >> 32);
  }
  std::uint64_t first_ = 1;
  std::uint64_t second_ = 2;
};

}  // namespace

int anchor_rows(int stable) {
  const auto eighth = static_cast<unsigned>(std::max(1, stable / 8));
  return stable - stable % static_cast<int>(std::bit_floor(eighth));
}

AnchorCache::Key AnchorCache::key(const Design& X, const Vector& y, int rows, Rng stream) {
  Fingerprint print;
  print.add(stream.bits());
  print.add(stream.bits());
  const Basis& basis = X.basis();  // its regular monomials follow from their order and the features
  print.add(static_cast<std::uint64_t>(basis.regular_order()));
  for (const Feature& f : basis.features()) {
    print.add(static_cast<std::uint64_t>(f.variable) << 33 | static_cast<std::uint64_t>(f.level) << 1 |
              static_cast<std::uint64_t>(f.square));
    print.add(f.scale);
  }
  for (int k = basis.regular_size(); k < basis.size(); ++k) {
    for (const int f : basis.monomial(k)) print.add(static_cast<std::uint64_t>(f));
    print.add(~std::uint64_t{0});
  }
  for (const int k : basis.excluded()) print.add(static_cast<std::uint64_t>(k));
  for (Eigen::Index f = 0; f < X.features().cols(); ++f) {
    for (int n = 0; n < rows; ++n) print.add(X.features()(n, f));
  }
  for (int n = 0; n < rows; ++n) print.add(y(n));
  return print.value();
}

AnchorCache::State AnchorCache::find(const Key& key) {
  const auto found =
      std::find_if(states_.begin(), states_.end(), [&](const auto& entry) { return entry.first == key; });
  if (found == states_.end()) return nullptr;
  std::rotate(found, found + 1, states_.end());
  return states_.back().second;
}

AnchorCache::State AnchorCache::get(const Key& key, const std::function<ChainState()>& make) {
  {
    const std::scoped_lock lock(mutex_);
    if (State state = find(key)) return state;
  }
  const auto made = std::make_shared<const ChainState>(make());  // others need not wait; two may make the same
  const std::scoped_lock lock(mutex_);
  if (State state = find(key)) return state;
  states_.emplace_back(key, made);
  if (states_.size() > kStates) states_.pop_front();
  return made;
}

}  // namespace bocs
