#include "bocs/rule/moves.hpp"

#include <algorithm>

namespace bocs {

Position::Position(const Feasible& feasible, const Point& x)
    : feasible_(&feasible), x_(x), sums_(feasible.rows().size()) {
  for (int i = 0; i < feasible.space().dimension(); ++i) {
    for (const Contribution& c : feasible.contributions(i)) sums_[c.row] += c(x[i]);
  }
}

void Position::move_to(const Point& x) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x[i] != x_[i]) change(static_cast<int>(i), x[i]);
  }
}

void Position::change(int variable, int level) {
  auto& own = x_[variable];
  for (const Contribution& c : feasible_->contributions(variable)) sums_[c.row] += c(level) - c(own);
  own = level;
}

bool Position::allows(const std::vector<double>& sums, int variable, int level) const {
  const int old = x_[static_cast<std::size_t>(variable)];
  for (const Contribution& c : feasible_->contributions(variable)) {
    const auto r = static_cast<std::size_t>(c.row);
    if (!feasible_->rows()[r].allows(sums[r] + (c(level) - c(old)))) return false;
  }
  return true;
}

bool Position::allows(const Changes& move) {
  const int given = feasible_->given();
  if (given == 0) return true;
  const auto add = [&](double sign) {
    for (const Change& change : move) {
      const auto old = x_[static_cast<std::size_t>(change.coordinate)];
      for (const Contribution& c : feasible_->contributions(change.coordinate)) {
        if (c.row < given) sums_[c.row] += sign * (c(change.level) - c(old));
      }
    }
  };
  add(1);
  const bool allowed = std::all_of(move.begin(), move.end(), [&](const Change& change) {
    const auto& touched = feasible_->contributions(change.coordinate);
    return std::all_of(touched.begin(), touched.end(),
                       [&](const Contribution& c) { return c.row >= given || row(c.row).allows(sum(c.row)); });
  });
  add(-1);  // exact: see Contribution
  return allowed;
}

int Position::violated_rows(int variable) const {
  int count = 0;
  for (const Contribution& c : feasible_->contributions(variable)) {
    const auto r = static_cast<std::size_t>(c.row);
    if (!feasible_->rows()[r].allows(sums_[r])) ++count;
  }
  return count;
}

namespace {

/// A random variable to a random other level: the levels are drawn alike.
std::pair<int, int> random_change(const Space& space, const Point& x, Rng& rng) {
  int levels = 1;
  std::size_t i = 0;
  while (levels < 2) {  // a variable with one level cannot move
    i = rng.below(static_cast<std::uint32_t>(x.size()));
    levels = space[static_cast<int>(i)].levels;
  }
  const auto other = static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(levels - 1)));
  return {static_cast<int>(i), other < x[i] ? other : other + 1};
}

}  // namespace

Point random_neighbour(const Space& space, const Constraints& constraints, const Point& x, Rng& rng) {
  if (space.no_larger_than(1)) return x;
  Point next = x;
  Changes move;
  const auto set = [&next](int variable, int level) { next[static_cast<std::size_t>(variable)] = level; };
  if (constraints.empty() && space.all_free()) {
    const auto [variable, level] = random_change(space, x, rng);
    set(variable, level);
    return next;
  }
  constexpr int kTries = 20;
  std::optional<Position> position;
  if (!constraints.empty()) position.emplace(constraints.feasible(), x);
  for (int k = 0; k < kTries; ++k) {
    const auto [variable, level] = random_change(space, x, rng);
    if (!space.is_free(variable)) {
      space.random_move(x, variable, rng, move);
      if (move.empty() || (position && !position->allows(move))) continue;
      for (const Change& change : move) set(change.coordinate, change.level);
      return next;
    }
    std::vector<std::pair<int, int>> partners;
    const bool alone = !position || position->allows(variable, level);
    if (!alone) position->for_each_partner(variable, level, [&](int i, int l) { partners.emplace_back(i, l); });
    if (!alone && partners.empty()) continue;
    set(variable, level);
    if (!alone) {
      const auto& [i, l] = partners[rng.below(static_cast<std::uint32_t>(partners.size()))];
      set(i, l);
    }
    return next;
  }
  std::vector<Point> all;
  for_each_neighbour(space, constraints, x, [&](const Point& y) { all.push_back(y); });
  return all.empty() ? random_point(space, constraints, rng) : all[rng.below(static_cast<std::uint32_t>(all.size()))];
}

}  // namespace bocs
