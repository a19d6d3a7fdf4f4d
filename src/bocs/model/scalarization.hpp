#pragma once
// Several goals as one number: each trial looks in a direction of its own, and together they find the whole front.

#include <optional>
#include <span>
#include <vector>

#include "bocs/model/model.hpp"

namespace bocs {

/// max_k (z_k - r) / lambda_k, where z_k is goal k with the front between 0 and 1, r lies just beyond the front, and
/// the direction lambda is drawn from the stream of the trial. Averaged over directions, the smallest such number of a
/// set of points says how much volume the set dominates (Zhang and Golovin 2020, random hypervolume scalarizations).
/// The part of the front beyond a goal's reference does not count.
class Scalarization {
 public:
  /// A function of what is known at `number`. Needs at least one complete trial.
  Scalarization(const Task& task, const History& history, int number);

  /// Of a point that has these values in the goals, as goal_values gives them.
  [[nodiscard]] double operator()(std::span<const double> goals) const;
  /// Of points whose values are independent and normal: the maximum has the mean and the variance that Clark (1961)
  /// gives, goal after goal.
  [[nodiscard]] Prediction operator()(std::span<const Prediction> goals) const;
  /// How much a unit of goal k counts in this direction: for sums instead of the maximum.
  [[nodiscard]] double weight(int k) const { return weights_[static_cast<std::size_t>(k)]; }

 private:
  std::vector<double> shifts_, weights_;  // (goal - shift) * weight
};

/// What a trial is compared by: its total, with several goals their scalarization; infinite if it is not allowed.
class Merit {
 public:
  Merit(const Task& task, const History& history, int number);
  double operator()(const Trial& trial) const;

 private:
  const Task& task_;
  std::optional<Scalarization> scalarization_;
};

}  // namespace bocs
