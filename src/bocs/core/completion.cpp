#include "bocs/core/completion.hpp"

#include <algorithm>
#include <tuple>

namespace bocs {

Completion::Completion(const Feasible& feasible)
    : feasible_(&feasible), sums_(feasible.rows().size()), queued_(feasible.rows().size(), 0) {
  for (const Variable& v : feasible.space().variables()) domains_.push_back({0, v.levels - 1, v.levels});
  for (std::size_t r = 0; r < sums_.size(); ++r) {
    for (const Contribution& c : feasible.rows()[r].terms) {
      const Range own = range(c, domains_[static_cast<std::size_t>(c.variable)]);
      sums_[r].low += own.low;
      sums_[r].high += own.high;
    }
  }
}

Completion::Range Completion::range(const Contribution& c, const Domain& domain) {
  const double first = c(domain.low), last = c(domain.high);
  Range result{std::min(first, last), std::max(first, last)};
  if (c.by_level.empty()) return result;
  for (int level = domain.low + 1; level < domain.high; ++level) {
    if (!domain.has(level)) continue;
    result.low = std::min(result.low, c(level));
    result.high = std::max(result.high, c(level));
  }
  return result;
}

Completion::End Completion::run(const Guide& guide, const std::function<bool(const Point&)>& visit) {
  nodes_left_ = guide.nodes;
  priority_.assign(domains_.size(), 0);
  if (guide.rng != nullptr) {
    for (auto& p : priority_) p = guide.rng->bits();
  }
  for (std::size_t r = 0; r < sums_.size(); ++r) {
    queue_.push_back(static_cast<int>(r));
    queued_[r] = 1;
  }
  bool stopped = false;
  if (propagate()) stopped = descend(guide, visit);
  undo(0, 0);
  if (stopped) return End::stopped;
  return nodes_left_ < 0 ? End::limit : End::exhausted;
}

int Completion::next_variable(const Guide& guide) const {
  const auto rank = [&](std::size_t i) {  // smaller is sooner
    const bool indifferent = guide.preferred.empty() || guide.preferred[i] < 0;
    return std::tuple(indifferent, domains_[i].size, ~priority_[i]);
  };
  int best = -1;
  for (std::size_t i = 0; i < domains_.size(); ++i) {
    if (domains_[i].size == 1) continue;
    if (best < 0 || rank(i) < rank(static_cast<std::size_t>(best))) best = static_cast<int>(i);
  }
  return best;
}

int Completion::choose_level(int variable, const Guide& guide) const {
  const auto i = static_cast<std::size_t>(variable);
  const Domain& domain = domains_[i];
  if (!guide.preferred.empty() && domain.has(guide.preferred[i])) return guide.preferred[i];
  if (guide.rng == nullptr) return domain.low;
  int left = static_cast<int>(guide.rng->below(static_cast<std::uint32_t>(domain.size)));
  if (domain.out.empty()) return domain.low + left;
  for (int level = domain.low;; ++level) {
    if (domain.has(level) && left-- == 0) return level;
  }
}

bool Completion::descend(const Guide& guide, const std::function<bool(const Point&)>& visit) {
  const int variable = next_variable(guide);
  if (variable < 0) {
    Point x;
    for (const Domain& domain : domains_) x.push_back(domain.low);
    return feasible_->contains(x) && visit(x);
  }
  const std::size_t domains = domain_trail_.size(), ranges = range_trail_.size();
  for (;;) {  // a level, then, without it, the next one
    if (--nodes_left_ < 0) break;
    const int level = choose_level(variable, guide);
    const std::size_t inner_domains = domain_trail_.size(), inner_ranges = range_trail_.size();
    if (fix(variable, level) && descend(guide, visit)) return true;
    undo(inner_domains, inner_ranges);
    if (!remove(variable, level)) break;
    if (domains_[static_cast<std::size_t>(variable)].size == 1) {
      if (descend(guide, visit)) return true;
      break;
    }
  }
  undo(domains, ranges);
  return false;
}

void Completion::replace(int variable, Domain domain) {
  const auto i = static_cast<std::size_t>(variable);
  for (const Contribution& c : feasible_->contributions(variable)) {
    const auto r = static_cast<std::size_t>(c.row);
    const Range before = range(c, domains_[i]), after = range(c, domain);
    if (before.low == after.low && before.high == after.high) continue;
    range_trail_.push_back({c.row, sums_[r]});
    sums_[r].low += after.low - before.low;
    sums_[r].high += after.high - before.high;
    if (queued_[r] == 0) {
      queued_[r] = 1;
      queue_.push_back(c.row);
    }
  }
  domain_trail_.push_back({variable, std::move(domains_[i])});
  domains_[i] = std::move(domain);
}

bool Completion::fix(int variable, int level) {
  replace(variable, {level, level, 1});
  return propagate();
}

bool Completion::remove(int variable, int level) {
  Domain domain = domains_[static_cast<std::size_t>(variable)];
  if (--domain.size == 0) return false;
  if (level == domain.low) {
    do ++domain.low;
    while (!domain.has(domain.low));
  } else if (level == domain.high) {
    do --domain.high;
    while (!domain.has(domain.high));
  } else {
    domain.out.resize(static_cast<std::size_t>(feasible_->space()[variable].levels), 0);
    domain.out[static_cast<std::size_t>(level)] = 1;
  }
  replace(variable, std::move(domain));
  return propagate();
}

bool Completion::propagate() {
  bool possible = true;
  while (!queue_.empty()) {
    const int r = queue_.back();
    queue_.pop_back();
    queued_[static_cast<std::size_t>(r)] = 0;
    if (!possible) continue;  // only empties the queue
    const LinearRow& row = feasible_->rows()[static_cast<std::size_t>(r)];
    const Range& sum = sums_[static_cast<std::size_t>(r)];
    if (sum.low > row.high || sum.high < row.low) {
      possible = false;
    } else if (sum.low < row.low || sum.high > row.high) {
      for (const Contribution& c : row.terms) possible = possible && tighten(row, c);
    }
  }
  return possible;
}

/// Rules out the levels of a variable that the others in the row cannot make up for.
bool Completion::tighten(const LinearRow& row, const Contribution& c) {
  const Domain& domain = domains_[static_cast<std::size_t>(c.variable)];
  if (domain.size == 1) return true;
  const Range& sum = sums_[static_cast<std::size_t>(c.row)];
  const Range own = range(c, domain);
  const auto possible = [&](int level) {
    return sum.low - own.low + c(level) <= row.high && sum.high - own.high + c(level) >= row.low;
  };
  Domain left = domain;
  if (c.by_level.empty() && domain.out.empty()) {
    // Monotone in the level, so what is possible is an interval: one condition bounds it on each side.
    const auto small_enough = [&](int level) { return sum.low - own.low + c(level) <= row.high; };
    const auto large_enough = [&](int level) { return sum.high - own.high + c(level) >= row.low; };
    const auto first = [](int low, int high, const auto& holds) {  // false ... false true ... true; high + 1: never
      while (low <= high) {
        const int middle = low + (high - low) / 2;
        if (holds(middle))
          high = middle - 1;
        else
          low = middle + 1;
      }
      return low;
    };
    const bool rising = c.slope > 0;
    left.low = first(domain.low, domain.high, [&](int l) { return rising ? large_enough(l) : small_enough(l); });
    left.high = first(left.low, domain.high, [&](int l) { return !(rising ? small_enough(l) : large_enough(l)); }) - 1;
    left.size = left.high - left.low + 1;
  } else {
    for (int level = domain.low; level <= domain.high; ++level) {
      if (!left.has(level) || possible(level)) continue;
      left.out.resize(static_cast<std::size_t>(feasible_->space()[c.variable].levels), 0);
      left.out[static_cast<std::size_t>(level)] = 1;
      --left.size;
    }
    while (left.size > 0 && !left.has(left.low)) ++left.low;
    while (left.size > 0 && !left.has(left.high)) --left.high;
  }
  if (left.size <= 0) return false;
  if (left.size < domain.size) replace(c.variable, std::move(left));
  return true;
}

void Completion::undo(std::size_t domains, std::size_t ranges) {
  for (; domain_trail_.size() > domains; domain_trail_.pop_back()) {
    domains_[static_cast<std::size_t>(domain_trail_.back().variable)] = std::move(domain_trail_.back().domain);
  }
  for (; range_trail_.size() > ranges; range_trail_.pop_back()) {
    sums_[static_cast<std::size_t>(range_trail_.back().row)] = range_trail_.back().range;
  }
}

}  // namespace bocs
