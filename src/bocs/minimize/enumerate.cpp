#include "bocs/minimize/enumerate.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "bocs/base/error.hpp"
#include "bocs/minimize/kernels.hpp"
#include "bocs/minimize/local_search.hpp"
#include "bocs/numeric/config.hpp"
#include "bocs/numeric/numbers.hpp"

namespace bocs {
namespace {

constexpr const char* kExhausted = "every point is excluded or violates a constraint";

BOCS_MULTIVERSION void add(double* table, const double* change, double factor, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) table[i] += factor * change[i];
}

/// All points of a binary space of up to 32 variables. The values for all settings of the low variables are a table;
/// the high variables follow a Gray code, and flipping high variable j adds the table of the derivative D_j or
/// subtracts it.
///
/// Between two flips of j exactly one other high variable has changed, the next set bit k of the step counter, so D_j
/// is brought up to date by D_jk, that by D_jkl, and so on up to the order: O(order) table additions per step [BCC10].
class BinaryEnumeration {
 public:
  static constexpr int kLowBits = 10;

  static bool fits(const Basis& basis) {
    const int high = std::max(0, basis.space().dimension() - kLowBits);
    double tables = 0;
    for (int size = 1; size < basis.order(); ++size) tables += binomial(high, size);
    return basis.space().all_binary() && basis.space().dimension() <= 32 && tables <= 4096;
  }

  BinaryEnumeration(const Polynomial& f, const Allowed& allowed)
      : f_(&f),
        allowed_(&allowed),
        order_(f.basis().order()),
        low_bits_(std::min(f.space().dimension(), kLowBits)),
        high_bits_(f.space().dimension() - low_bits_),
        masks_(static_cast<std::size_t>(f.basis().size())) {
    for (int k = 0; k < f.basis().size(); ++k) {
      for (const int g : f.basis().monomial(k)) masks_[static_cast<std::size_t>(k)] |= 1u << g;
    }
    values_ = derivative(0, 0);
    derivatives_.resize(static_cast<std::size_t>(order_) + 1);
    for (int size = 1; size <= order_ && size <= high_bits_; ++size) {
      derivatives_[static_cast<std::size_t>(size)].resize(static_cast<std::size_t>(binomial(high_bits_, size)));
    }
    initialize(0, 0);
  }

  Minimum run() {
    look(0, smallest(values_.table.data(), values_.table.size()));
    for (std::uint32_t step = 1; step < 1u << high_bits_; ++step) advance(step);
    if (!found_) throw SpaceExhausted(kExhausted);
    const Point x = point(best_);
    const double value = (*f_)(x);
    return {.x = x, .value = value, .lower_bound = std::min(value, (*f_)(point(lowest_)))};
  }

 private:
  struct Table {                  // over the settings of the low variables: scalar + table[low]
    std::vector<double> table{};  // empty: constant
    double scalar = 0;
  };

  /// Rank of the set of high variables among those of its size.
  static std::size_t rank(std::uint32_t set) {
    double sum = 0;
    for (int size = 1; set != 0; ++size, set &= set - 1) sum += binomial(std::countr_zero(set), size);
    return static_cast<std::size_t>(sum);
  }

  Table& at(std::uint32_t set) { return derivatives_[static_cast<std::size_t>(std::popcount(set))][rank(set)]; }

  /// The derivative with respect to all variables of `set`, where the high variables are `state`.
  [[nodiscard]] Table derivative(std::uint32_t set, std::uint32_t state) const {
    Table result;
    const std::uint32_t low_mask = (1u << low_bits_) - 1;
    if (std::popcount(set) < order_) {
      result.table.assign(std::size_t{1} << low_bits_, 0.0);
    }
    if (set == 0) result.scalar = f_->constant();
    for (std::size_t k = 0; k < masks_.size(); ++k) {
      const std::uint32_t high = masks_[k] >> low_bits_;
      if ((high & set) != set || (high & ~set & ~state) != 0) continue;
      const std::uint32_t low = masks_[k] & low_mask;
      (low == 0 ? result.scalar : result.table[low]) += f_->alpha()[static_cast<Eigen::Index>(k)];
    }
    if (result.table.empty()) return result;
    for (std::size_t bit = 1; bit <= low_mask; bit *= 2) {  // from coefficients to values: sums over subsets
      for (std::size_t i = 0; i <= low_mask; ++i) {
        if ((i & bit) != 0) result.table[i] += result.table[i ^ bit];
      }
    }
    return result;
  }

  /// Every derivative as it is when it is first used, at the step whose set bits are the set itself.
  void initialize(std::uint32_t set, int from) {
    for (int k = from; k < high_bits_; ++k) {
      const std::uint32_t larger = set | 1u << k;
      at(larger) = derivative(larger, (larger ^ (larger >> 1)) & ~larger);
      if (std::popcount(larger) < order_) initialize(larger, k + 1);
    }
  }

  void advance(std::uint32_t step) {
    const std::uint32_t gray = step ^ (step >> 1);
    std::array<Table*, 32> chain;  // values, D_k1, D_k1k2, ... for the lowest set bits k1 < k2 < ... of the step
    std::array<double, 32> sign;
    std::size_t length = 0;
    chain[0] = &values_;
    std::uint32_t set = 0;
    for (std::uint32_t rest = step; rest != 0 && static_cast<int>(length) < order_; rest &= rest - 1) {
      const int bit = std::countr_zero(rest);
      set |= 1u << bit;
      sign[length++] = ((gray >> bit) & 1u) != 0 ? 1 : -1;
      chain[length] = &at(set);
    }
    for (std::size_t j = length; j-- > 0;) {
      chain[j]->scalar += sign[j] * chain[j + 1]->scalar;
      const auto& change = chain[j + 1]->table;
      if (j == 0) {
        const double low =
            change.empty() ? low_ : add_and_find_smallest(values_.table.data(), change.data(), sign[0], change.size());
        look(gray, low);
      } else if (!change.empty()) {
        add(chain[j]->table.data(), change.data(), sign[j], change.size());
      }
    }
  }

  /// Notes the best points of the current table, whose smallest entry is given.
  void look(std::uint32_t high, double low) {
    low_ = low;
    if (found_ && low + values_.scalar >= std::max(best_value_, lowest_value_)) return;
    for (std::uint32_t i = 0; i < 1u << low_bits_; ++i) {
      const double value = values_.table[i] + values_.scalar;
      const std::uint32_t bits = high << low_bits_ | i;
      if (value < lowest_value_ && allowed_->constraints.satisfied(point(bits))) {
        lowest_value_ = value;
        lowest_ = bits;
      }
      if ((!found_ || value < best_value_) && allowed_->contains(point(bits))) {
        found_ = true;
        best_value_ = value;
        best_ = bits;
      }
    }
  }

  [[nodiscard]] Point point(std::uint32_t bits) const { return point_of_code(bits, low_bits_ + high_bits_); }

  const Polynomial* f_;
  const Allowed* allowed_;
  int order_;
  int low_bits_;
  int high_bits_;
  std::vector<std::uint32_t> masks_;  // the variables of each monomial
  Table values_;
  std::vector<std::vector<Table>> derivatives_;  // by size and rank of the set of high variables
  double low_ = 0;
  bool found_ = false;
  double best_value_ = std::numeric_limits<double>::infinity();
  double lowest_value_ = std::numeric_limits<double>::infinity();
  std::uint32_t best_ = 0;
  std::uint32_t lowest_ = 0;
};

/// Any space: a reflected mixed-radix Gray code, in which one variable changes by one level at a time [Knuth, 7.2.1.1,
/// algorithm H], over all variables but the one with the most levels, whose deltas are read off.
Minimum enumerate_by_walking(const Polynomial& f, const Allowed& allowed) {
  const Space& space = f.space();
  int widest = 0;
  std::vector<int> others;
  for (int i = 1; i < space.dimension(); ++i) {
    if (space[i].levels > space[widest].levels) widest = i;
  }
  for (int i = 0; i < space.dimension(); ++i) {
    if (i != widest && space[i].levels > 1) others.push_back(i);
  }
  std::vector<int> direction(others.size(), 1);
  std::vector<std::size_t> focus(others.size() + 1);
  for (std::size_t j = 0; j < focus.size(); ++j) focus[j] = j;

  Walker walker(f, Point(static_cast<std::size_t>(space.dimension()), 0));
  Incumbent found(allowed);
  Incumbent lowest({kNoPoints, allowed.constraints});
  for (;;) {
    for (int level = 0; level < space[widest].levels; ++level) {
      const double delta = walker.delta(widest, level);
      found.offer(walker, widest, level, delta);
      lowest.offer(walker, widest, level, delta);
    }
    const std::size_t j = focus[0];
    focus[0] = 0;
    if (j == others.size()) break;
    const int level = walker.point()[static_cast<std::size_t>(others[j])] + direction[j];
    walker.move(others[j], level);
    if (level == 0 || level == space[others[j]].levels - 1) {
      direction[j] = -direction[j];
      focus[j] = focus[j + 1];
      focus[j + 1] = j + 1;
    }
  }
  if (found.point().empty()) throw SpaceExhausted(kExhausted);
  const double value = f(found.point());
  return {.x = found.point(), .value = value, .lower_bound = std::min(value, f(lowest.point()))};
}

/// Only what satisfies the constraints: neighbours in this order differ in few variables.
Minimum enumerate_satisfying(const Polynomial& f, const Allowed& allowed) {
  Incumbent found(allowed);
  Incumbent lowest({kNoPoints, allowed.constraints});
  Walker walker(f, Point(static_cast<std::size_t>(f.space().dimension()), 0));
  allowed.constraints.feasible().for_each([&](const Point& x) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (walker.point()[i] != x[i]) walker.move(static_cast<int>(i), x[i]);
    }
    found.offer(walker);
    lowest.offer(walker);
  });
  if (found.point().empty()) throw SpaceExhausted(kExhausted);
  const double value = f(found.point());
  return {.x = found.point(), .value = value, .lower_bound = std::min(value, f(lowest.point()))};
}

}  // namespace

bool enumerable(const Space& space, const Constraints& constraints, double points) {
  if (space.no_larger_than(points)) return true;
  return !constraints.empty() && constraints.feasible().count() && *constraints.feasible().count() <= points;
}

Minimum enumerate(const Polynomial& f, const Allowed& allowed) {
  const Constraints& constraints = allowed.constraints;
  if (!constraints.empty() && constraints.feasible().count() &&
      !f.space().no_larger_than(kSatisfyingCost * *constraints.feasible().count())) {
    return enumerate_satisfying(f, allowed);
  }
  if (BinaryEnumeration::fits(f.basis())) return BinaryEnumeration(f, allowed).run();
  return enumerate_by_walking(f, allowed);
}

}  // namespace bocs
