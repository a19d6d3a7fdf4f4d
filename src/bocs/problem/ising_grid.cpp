#include "bocs/problem/ising_grid.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "bocs/base/error.hpp"

namespace bocs {
namespace {

constexpr int kMaxWidth = 12;

double log_add(double a, double b) {
  const double high = std::max(a, b);
  if (std::isinf(high)) return high;
  return high + std::log1p(std::exp(std::min(a, b) - high));
}

bool neighbours_equal(unsigned state, int bit) { return ((state >> bit ^ state >> (bit + 1)) & 1) == 0; }

}  // namespace

IsingGrid::IsingGrid(int rows, int columns) : rows_(rows), columns_(columns), width_(std::min(rows, columns)) {
  require(rows >= 1 && columns >= 1 && rows * columns >= 2 && width_ <= kMaxWidth, [&] {
    return "a grid of " + std::to_string(rows) + " x " + std::to_string(columns) +
           " spins: allowed are two or more, and at most " + std::to_string(kMaxWidth) + " in the shorter direction";
  });
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c + 1 < columns; ++c) edges_.push_back({r * columns + c, r * columns + c + 1});
  }
  for (int r = 0; r + 1 < rows; ++r) {
    for (int c = 0; c < columns; ++c) edges_.push_back({r * columns + c, (r + 1) * columns + c});
  }

  // Lines run along the shorter direction, so that a state is as short as can be.
  const bool by_rows = columns <= rows;
  const auto horizontal = [&](int r, int c) { return r * (columns - 1) + c; };                 // (r,c)-(r,c+1)
  const auto vertical = [&](int r, int c) { return rows * (columns - 1) + r * columns + c; };  // (r,c)-(r+1,c)
  const auto within = [&](int line, int k) { return by_rows ? horizontal(line, k) : vertical(k, line); };
  const auto across = [&](int line, int k) { return by_rows ? vertical(line, k) : horizontal(k, line); };
  for (int line = 0; line < std::max(rows, columns); ++line) {
    for (int k = 0; line > 0 && k < width_; ++k) steps_.push_back({across(line - 1, k), k, true});
    for (int k = 0; k + 1 < width_; ++k) steps_.push_back({within(line, k), k, false});
  }
}

double IsingGrid::log_sum(std::span<const Bond> bonds) const {
  std::vector<double> sums(std::size_t{1} << width_, 0.0);  // log of the sum, for each state of the current line
  for (const Step& step : steps_) {
    const Bond bond = bonds[step.edge];
    const unsigned bit = 1u << step.bit;
    for (unsigned state = 0; state < sums.size(); ++state) {
      if (!step.next_line) {
        sums[state] += neighbours_equal(state, step.bit) ? bond.equal : bond.unequal;
      } else if ((state & bit) == 0) {
        const double off = sums[state];
        const double on = sums[state | bit];
        sums[state] = log_add(off + bond.equal, on + bond.unequal);
        sums[state | bit] = bond.equal == bond.unequal ? sums[state] : log_add(off + bond.unequal, on + bond.equal);
      }
    }
  }
  const double high = *std::max_element(sums.begin(), sums.end());
  if (std::isinf(high)) return high;
  double total = 0;
  for (const double s : sums) total += std::exp(s - high);
  return high + std::log(total);
}

/// Depth-first over the steps, one branch for "cut", one for "kept"; the bonds within the last line are left to a
/// table, because at that depth there are 2^edges branches.
template <int width>
class SmallestSums {
 public:
  SmallestSums(const IsingGrid& grid, std::span<const IsingGrid::Choice> choices, const Point& flip)
      : grid_(grid),
        flip_(flip),
        tail_(static_cast<int>(grid.steps_.size()) - (width - 1)),
        smallest_(grid.edges_.size() + 1, std::numeric_limits<double>::infinity()),
        masks_(grid.edges_.size() + 1, 0) {
    for (const auto& step : grid.steps_) {
      const auto& [kept, cut] = choices[step.edge];
      factors_.push_back(
          {{{std::exp(cut.equal), std::exp(cut.unequal)}, {std::exp(kept.equal), std::exp(kept.unequal)}}});
    }
    tabulate_tail();
  }

  std::vector<Point> run() {
    Sums sums;
    sums.fill(1);
    descend(0, sums, 0, 0);
    std::vector<Point> points;
    for (const auto mask : masks_) {
      Point x(grid_.edges_.size());
      for (std::size_t s = 0; s < grid_.steps_.size(); ++s) x[grid_.steps_[s].edge] = static_cast<int>(mask >> s & 1);
      points.push_back(std::move(x));
    }
    return points;
  }

 private:
  static constexpr unsigned kStates = 1u << width;
  static constexpr unsigned kTailMasks = 1u << (width - 1);
  using Sums = std::array<double, kStates>;
  struct Factors {
    double equal, unequal;
  };

  /// 1 if keeping (1) or cutting (0) the bond of a step makes a one in the flipped code.
  [[nodiscard]] int one(int step, int keep) const { return keep ^ flip_[grid_.steps_[step].edge]; }

  void tabulate_tail() {
    for (unsigned mask = 0; mask < kTailMasks; ++mask) {
      tail_ones_[mask] = 0;
      for (unsigned state = 0; state < kStates; ++state) tail_factors_[state][mask] = 1;
      for (int k = 0; k + 1 < width; ++k) {
        const int keep = static_cast<int>(mask >> k & 1);
        tail_ones_[mask] += one(tail_ + k, keep);
        const Factors& factors = factors_[tail_ + k][keep];
        for (unsigned state = 0; state < kStates; ++state) {
          tail_factors_[state][mask] *= neighbours_equal(state, k) ? factors.equal : factors.unequal;
        }
      }
    }
  }

  void descend(int s, const Sums& sums, std::uint64_t mask, int ones) {
    if (s == tail_) return finish(sums, mask, ones);
    const auto& step = grid_.steps_[s];
    const unsigned bit = 1u << step.bit;
    for (int keep = 0; keep < 2; ++keep) {
      const Factors factors = factors_[s][keep];
      Sums next;
      for (unsigned state = 0; state < kStates; ++state) {
        next[state] = step.next_line
                          ? sums[state] * factors.equal + sums[state ^ bit] * factors.unequal
                          : sums[state] * (neighbours_equal(state, step.bit) ? factors.equal : factors.unequal);
      }
      descend(s + 1, next, mask | static_cast<std::uint64_t>(keep) << s, ones + one(s, keep));
    }
  }

  void finish(const Sums& sums, std::uint64_t mask, int ones) {
    std::array<double, kTailMasks> totals{};
    for (unsigned state = 0; state < kStates; ++state) {
      for (unsigned t = 0; t < kTailMasks; ++t) totals[t] += sums[state] * tail_factors_[state][t];
    }
    for (unsigned t = 0; t < kTailMasks; ++t) {
      const int all = ones + tail_ones_[t];
      if (totals[t] < smallest_[all]) {
        smallest_[all] = totals[t];
        masks_[all] = mask | static_cast<std::uint64_t>(t) << tail_;
      }
    }
  }

  const IsingGrid& grid_;
  const Point& flip_;
  int tail_;                                     // the first step within the last line
  std::vector<std::array<Factors, 2>> factors_;  // of each step: cut, kept
  std::array<std::array<double, kTailMasks>, kStates> tail_factors_{};
  std::array<int, kTailMasks> tail_ones_{};
  std::vector<double> smallest_;      // by number of ones
  std::vector<std::uint64_t> masks_;  // bit s: the bond of step s is kept
};

std::vector<Point> IsingGrid::smallest_sums(std::span<const Choice> choices, const Point& flip) const {
  require(size() <= kMaxChoices, [&] { return std::to_string(size()) + " edges are too many to try all masks"; });
  switch (width_) {
    case 1:
      return SmallestSums<1>(*this, choices, flip).run();
    case 2:
      return SmallestSums<2>(*this, choices, flip).run();
    case 3:
      return SmallestSums<3>(*this, choices, flip).run();
    default:
      return SmallestSums<4>(*this, choices, flip).run();  // 5 x 5 has more than kMaxChoices edges
  }
}

std::string IsingGrid::draw(const Point& kept, std::span<const double> sign) const {
  std::string text;
  const auto mark = [&](int edge) { return sign[edge] > 0 ? '+' : '-'; };
  int edge = 0;
  const int horizontals = rows_ * (columns_ - 1);
  for (int r = 0; r < rows_; ++r) {
    for (int c = 0; c + 1 < columns_; ++c, ++edge) {
      text += kept[edge] != 0 ? std::string("o-(") + mark(edge) + ")-" : "o . . ";
    }
    text += "o\n";
    if (r + 1 == rows_) break;
    for (const bool middle : {false, true, false}) {
      for (int c = 0; c < columns_; ++c) {
        const int below = horizontals + r * columns_ + c;
        text += kept[below] == 0 ? (middle ? '.' : ' ') : middle ? mark(below) : '|';
        text += c + 1 < columns_ ? "     " : "\n";
      }
    }
  }
  return text;
}

}  // namespace bocs
