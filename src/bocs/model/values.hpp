#pragma once
// The one place where values enter models: which complete trials count, and in which unit their values are.

#include "bocs/model/model.hpp"
#include "bocs/model/outliers.hpp"

namespace bocs {

class Polynomial;

/// A history as models see it; a function of its complete trials. Keeps references to task and history.
///
/// Values that are extreme on the bad side (outliers.hpp) would hide the differences of all others. One or two are
/// taken for errors, and their trials are left out; where there are more, a large number stands for "not allowed", and
/// their trials count as failed. Values are multiplied by a power of two, which is 1 unless their squares would leave
/// the range of a double. So where nothing is extreme, models see what was told, with the same bits. Why so:
/// docs/decisions/0001-robust-values.md.
class Values {
 public:
  enum class Extremes { set_apart, as_told };
  Values(const Task& task, const History& history, Extremes extremes = Extremes::set_apart);

  /// The trials that count, in order of number. The penalty is not part of y: it is known, no model has to learn it.
  [[nodiscard]] const Data& complete() const { return complete_; }
  /// The same trials.
  [[nodiscard]] const std::vector<const Trial*>& trials() const { return trials_; }
  /// A metric of each of them, as reported.
  [[nodiscard]] Vector reported(const std::string& metric) const;
  /// How many of the first of them come before the first unfinished trial.
  [[nodiscard]] int stable_prefix() const { return stable_prefix_; }
  [[nodiscard]] bool counts(const Trial& trial) const { return trial.state == State::complete && trial.y <= top_; }
  [[nodiscard]] bool has_failed(const Trial& trial) const {
    return trial.state == State::failed || (is_extreme(trial) && !errors_);
  }
  /// The points of trials that nobody has told yet.
  [[nodiscard]] const std::vector<Point>& under_way() const { return under_way_; }

  /// What a difference of 1 is to a model: a power of two. What a model says is divided by it before it is shown.
  [[nodiscard]] double unit() const { return unit_; }
  [[nodiscard]] double penalty(const Point& x) const { return unit_ * bocs::penalty(task_, x); }
  /// y plus the penalty of each of complete().
  [[nodiscard]] Vector totals() const;
  /// Adds the penalty to a function that was learned from complete().
  void add_penalty(Polynomial& f) const;

 private:
  [[nodiscard]] bool is_extreme(const Trial& trial) const { return trial.state == State::complete && trial.y > top_; }

  const Task& task_;
  double top_ = std::numeric_limits<double>::infinity();  // the largest value that is not extreme
  bool errors_ = false;                                   // extreme values are taken for errors
  double unit_ = 1;
  int stable_prefix_ = 0;
  Data complete_;
  std::vector<const Trial*> trials_;
  std::vector<Point> under_way_;
};

}  // namespace bocs
