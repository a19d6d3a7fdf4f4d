#pragma once
// Anchors: a long chain on the first part of the data, from which short chains on all of it start. Data come one by
// one, so that many proposals have the same anchor. The state at an anchor is a function of its data and its stream, so
// keeping it saves time and changes no bit.

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

#include "bocs/numeric/rng.hpp"
#include "bocs/poly/design.hpp"

namespace bocs {

/// Where a chain of the horseshoe stands. The scales of columns that do not vary are 0.
struct ChainState {
  Vector beta2;
  Vector nu;
  double tau2 = 1;
  double sigma2 = 1;  // in units of y
  int repairs = 0;    // numerical repairs on the way
};

/// Rows of the anchor for data whose first `stable` rows will not change any more: that number rounded down to a
/// multiple of the largest power of two that is at most an eighth of it.
int anchor_rows(int stable);

/// The last few states, by a fingerprint of what they are a function of. Any number of threads may ask.
class AnchorCache {
 public:
  using Key = std::pair<std::uint64_t, std::uint64_t>;
  /// Of the first rows of the data and the stream of the chain.
  static Key key(const Design& X, const Vector& y, int rows, Rng stream);

  using State = std::shared_ptr<const ChainState>;
  /// The state of this key; made if it is not there.
  State get(const Key& key, const std::function<ChainState()>& make);

 private:
  static constexpr std::size_t kStates = 8;
  State find(const Key& key);

  std::mutex mutex_;
  std::deque<std::pair<Key, State>> states_;  // the last one used comes last
};

}  // namespace bocs
