#include "bocs/model/values.hpp"

#include <algorithm>
#include <cmath>

#include "bocs/poly/polynomial.hpp"

namespace bocs {
namespace {

// Chosen by measurement: docs/decisions/0001-robust-values.md.
constexpr double kGap = 1;             // a gap is wider than so many widths of the rest, where the rest is nearly all
constexpr double kSpread = 0.5;        // and than so much of the spread of the lower half of what is beyond it
constexpr std::size_t kFewest = 8;     // values, before any of them is extreme
constexpr std::size_t kPart = 4;       // the rest is at least a quarter of the values
constexpr std::size_t kErrors = 2;     // up to so many extreme values are errors; more are what is not allowed
constexpr std::size_t kGoodPart = 10;  // on the good side at most a tenth of the values is called extreme

constexpr double kSmallest = 0x1p-350, kLargest = 0x1p350;  // beyond, squares are near the ends of what a double holds

/// Half the difference of two finite values, which is finite.
double half_of(double larger, double smaller) { return larger / 2 - smaller / 2; }

/// How many of the sorted values, smallest first, are the rest: those below the first gap. All of them if there is
/// none. The first `fewest` belong to the rest in any case. A gap is wider than the rest; the fewer of all values the
/// rest has, the wider it must be. It is also wide beside the lower half of what is beyond it: where a method has found
/// the good region, its proposals are close together, and the random points of the design, far away, are no errors.
std::size_t count_rest(std::span<const double> sorted, std::size_t fewest) {
  const std::size_t n = sorted.size();
  for (std::size_t i = std::max<std::size_t>(fewest, 1); i < n; ++i) {
    const double part = static_cast<double>(i) / static_cast<double>(n);
    const double width = half_of(sorted[i - 1], sorted[0]), gap = half_of(sorted[i], sorted[i - 1]);
    const double spread = half_of(sorted[i + (n - i - 1) / 2], sorted[i]);
    if (width > 0 && part * part * gap > kGap * width && gap > kSpread * spread) return i;
  }
  return n;
}

/// All but the extreme ones on the bad side, sorted.
std::vector<double> not_bad(const std::vector<const Trial*>& complete) {
  std::vector<double> y;
  for (const Trial* trial : complete) y.push_back(trial->y);
  std::sort(y.begin(), y.end());
  if (y.size() >= kFewest) y.resize(count_rest(y, std::max(kFewest / 2 + 1, (y.size() + kPart - 1) / kPart)));
  return y;
}

/// 1, or the power of two that brings the size near 1 where squares would leave the range.
double unit_for(double size) {
  if (size == 0 || (size >= kSmallest && size <= kLargest)) return 1;
  return std::ldexp(1.0, std::clamp(-std::ilogb(size), -1022, 1022));
}

}  // namespace

Values::Values(const Task& task, const History& history, Extremes extremes) : task_(task) {
  for (const Trial& trial : history.trials()) {
    if (!is_finished(trial)) under_way_.push_back(trial.x);
  }
  const auto all = history.complete();
  if (extremes == Extremes::set_apart && !all.empty()) {
    const std::vector<double> rest = not_bad(all);
    top_ = rest.back();
    errors_ = all.size() - rest.size() <= kErrors;
    unit_ = unit_for(std::max(std::abs(rest.front()), std::abs(rest.back())));
  }
  std::vector<double> y;
  const int stable = history.stable_prefix();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!counts(*all[i])) continue;
    complete_.x.push_back(all[i]->x);
    trials_.push_back(all[i]);
    y.push_back(unit_ * all[i]->y);
    if (static_cast<int>(i) < stable) ++stable_prefix_;
  }
  complete_.y = Eigen::Map<const Vector>(y.data(), static_cast<Eigen::Index>(y.size()));
}

Vector Values::totals() const {
  Vector totals = complete_.y;
  for (Eigen::Index i = 0; i < totals.size(); ++i) totals[i] += penalty(complete_.x[static_cast<std::size_t>(i)]);
  return totals;
}

Vector Values::reported(const std::string& metric) const {
  Vector y(trials_.size());
  for (std::size_t i = 0; i < trials_.size(); ++i) y[static_cast<Eigen::Index>(i)] = trials_[i]->metrics.at(metric);
  return y;
}

void Values::add_penalty(Polynomial& f) const {
  if (unit_ == 1) return f.add_penalty(task_);
  Task scaled = task_;
  scaled.l1 *= unit_;
  scaled.l2 *= unit_;
  f.add_penalty(scaled);
}

std::vector<Outlier> outliers(const History& history) {
  const auto complete = history.complete();
  if (complete.size() < kFewest) return {};
  const std::vector<double> rest = not_bad(complete);
  // The good side: the same with the signs turned, but only a few values can be extreme.
  std::vector<double> turned(rest.size());
  std::transform(rest.rbegin(), rest.rend(), turned.begin(), std::negate<>());
  const std::size_t few = std::max<std::size_t>(1, complete.size() / kGoodPart);
  turned.resize(count_rest(turned, turned.size() - std::min(turned.size(), few)));
  const double low = -turned.back(), high = -turned.front();
  std::vector<Outlier> result;
  for (const Trial* trial : complete) {
    const double beyond = std::max(half_of(trial->y, high), half_of(low, trial->y));
    if (beyond > 0) result.push_back({trial->number, beyond / half_of(high, low), trial->y < low});
  }
  return result;
}

}  // namespace bocs
