#pragma once
// Exact counting and uniform sampling of the points that satisfy linear constraints, by dynamic programming over the
// partial sums. For the sources of this folder only.

#include "bocs/rule/feasible.hpp"

namespace bocs {

/// Variables are taken one after the other, those that share constraints together. A state is what the sums of the
/// constraints begun and not yet decided are so far; states with the same sums have the same completions.
class SumTable {
 public:
  /// Nothing when making the table would take more than `limit` numbers.
  static std::unique_ptr<const SumTable> make(const Feasible& feasible, std::size_t limit);

  [[nodiscard]] double count() const { return static_cast<double>(layers_.front().counts.front()); }
  /// Only when count() > 0. Exactly uniform, but that all present levels of an optional coordinate together weigh as
  /// much as its absence: a branch with many settings is not drawn more often than one with few.
  [[nodiscard]] Point random(Rng& rng) const;

 private:
  void count_completions();

  struct Layer {  // the states before one variable is chosen
    int variable = 0;
    int levels = 0;
    bool optional = false;
    std::vector<int> next = {};             // [state * levels + level]: a state of the next layer, or -1
    std::vector<long double> counts = {};   // completions of each state
    std::vector<long double> weights = {};  // the same by weight; empty: as they are counted

    [[nodiscard]] long double share(int level) const { return optional && level > 0 ? 1.0L / (levels - 1) : 1; }
    [[nodiscard]] const std::vector<long double>& drawn() const { return weights.empty() ? counts : weights; }
  };
  std::vector<Layer> layers_;  // the last one has the one state of having finished
};

}  // namespace bocs
