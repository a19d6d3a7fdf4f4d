#include "bocs/rule/moves.hpp"

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
  const auto set = [&next](int variable, int level) { next[static_cast<std::size_t>(variable)] = level; };
  if (constraints.empty()) {
    const auto [variable, level] = random_change(space, x, rng);
    set(variable, level);
    return next;
  }
  constexpr int kTries = 20;
  Position position(constraints.feasible(), x);
  for (int k = 0; k < kTries; ++k) {
    const auto [variable, level] = random_change(space, x, rng);
    std::vector<std::pair<int, int>> partners;
    const bool alone = position.allows(variable, level);
    if (!alone) position.for_each_partner(variable, level, [&](int i, int l) { partners.emplace_back(i, l); });
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
  return all.empty() ? constraints.feasible().random(rng) : all[rng.below(static_cast<std::uint32_t>(all.size()))];
}

}  // namespace bocs
