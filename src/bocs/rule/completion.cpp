#include "bocs/rule/completion.hpp"

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

namespace bocs {

bool Completion::Domain::has(int level) const {
  return level >= low && level <= high && !std::binary_search(holes.begin(), holes.end(), level);
}

void Completion::Domain::remove(int level) {
  if (level == low) return cut(low + 1, high);
  if (level == high) return cut(low, high - 1);
  holes.insert(std::lower_bound(holes.begin(), holes.end(), level), level);
}

void Completion::Domain::cut(int first, int last) {
  low = std::max(low, first);
  high = std::min(high, last);
  if (holes.empty()) return;
  auto begin = std::lower_bound(holes.begin(), holes.end(), low);
  for (; begin != holes.end() && *begin == low; ++begin) ++low;
  auto end = std::upper_bound(begin, holes.end(), high);
  for (; end != begin && *(end - 1) == high; --end) --high;
  holes.erase(end, holes.end());
  holes.erase(holes.begin(), begin);
}

Completion::Completion(const Feasible& feasible)
    : feasible_(&feasible),
      sums_(feasible.rows().size()),
      widest_(feasible.rows().size(), 0.0),
      queued_(feasible.rows().size(), 0) {
  for (const Coordinate& v : feasible.space().coordinates()) domains_.push_back({0, v.levels - 1});
  for (std::size_t r = 0; r < sums_.size(); ++r) {
    for (const Contribution& c : feasible.rows()[r].terms) {
      const Range own = range(c, domains_[c.variable]);
      sums_[r].low += own.low;
      sums_[r].high += own.high;
      widest_[r] = std::max(widest_[r], own.high - own.low);
    }
  }
}

Completion::Range Completion::range(const Contribution& c, const Domain& domain) {
  const double first = c(domain.low), last = c(domain.high);
  --work_left_;
  Range result{std::min(first, last), std::max(first, last)};
  if (c.by_level.empty()) return result;
  work_left_ -= domain.high - domain.low;
  auto hole = domain.holes.begin();
  for (int level = domain.low + 1; level < domain.high; ++level) {
    if (hole != domain.holes.end() && *hole == level) {
      ++hole;
      continue;
    }
    result.low = std::min(result.low, c(level));
    result.high = std::max(result.high, c(level));
  }
  return result;
}

Completion::End Completion::run(const Guide& guide, const std::function<bool(const Point&)>& visit) {
  guide_ = &guide;
  work_left_ = guide.work;
  priority_.assign(domains_.size(), 0);
  if (guide.rng != nullptr) {
    for (auto& p : priority_) p = guide.rng->bits();
  }
  begin_tournament();
  decided_ = 0;
  domain_kept_.assign(domains_.size(), -1);
  range_kept_.assign(sums_.size(), -1);
  for (std::size_t r = 0; r < sums_.size(); ++r) {
    queue_.push_back(static_cast<int>(r));
    queued_[r] = 1;
  }
  const bool stopped = propagate() && search(visit);
  decisions_.clear();
  undo(0, 0);
  if (stopped) return End::stopped;
  return work_left_ < 0 ? End::limit : End::exhausted;
}

bool Completion::sooner(int a, int b) const {
  if (a < 0 || b < 0) return b < 0;
  const auto rank = [&](int i) {
    const bool indifferent = guide_->preferred.empty() || guide_->preferred[i] < 0;
    return std::tuple(indifferent, domains_[i].size(), ~priority_[i], i);
  };
  return rank(a) < rank(b);
}

void Completion::begin_tournament() {
  const std::size_t leaves = std::bit_ceil(std::max<std::size_t>(2, domains_.size()));
  tournament_.assign(2 * leaves, -1);
  for (std::size_t i = 0; i < domains_.size(); ++i) {
    if (domains_[i].size() > 1) tournament_[leaves + i] = static_cast<int>(i);
  }
  for (std::size_t match = leaves - 1; match > 0; --match) play(match);
}

void Completion::play(std::size_t match) {
  const int left = tournament_[2 * match], right = tournament_[2 * match + 1];
  tournament_[match] = sooner(right, left) ? right : left;
}

void Completion::enter(int variable) {
  std::size_t match = tournament_.size() / 2 + static_cast<std::size_t>(variable);
  tournament_[match] = domains_[variable].size() > 1 ? variable : -1;
  for (match /= 2; match > 0; match /= 2) {
    const int before = tournament_[match];
    play(match);
    if (tournament_[match] == before && before != variable) return;  // nothing changes above
  }
}

int Completion::choose_level(int variable) const {
  const Domain& domain = domains_[variable];
  const Point& preferred = guide_->preferred;
  if (!preferred.empty() && domain.has(preferred[variable])) return preferred[variable];
  if (guide_->rng == nullptr) return domain.low;
  int level = domain.low + static_cast<int>(guide_->rng->below(static_cast<std::uint32_t>(domain.size())));
  for (const int hole : domain.holes) level += hole <= level ? 1 : 0;
  return level;
}

/// Decides on one variable after the other. Where that leads nowhere, the last decision is taken back and its level
/// ruled out: by the decisions before it, so that this, too, is undone with them.
bool Completion::search(const std::function<bool(const Point&)>& visit) {
  int variable = -1;  // the one decided on last, until it has one level left
  while (work_left_ >= 0) {
    if (variable < 0 || domains_[variable].size() == 1) variable = next_variable();
    bool possible = false;
    if (variable >= 0) {
      const int level = choose_level(variable);
      decisions_.push_back({variable, level, ++decided_, domain_trail_.size(), range_trail_.size()});
      possible = fix(variable, level);
      variable = -1;
    } else {
      work_left_ -= static_cast<long>(domains_.size());
      Point x;
      for (const Domain& domain : domains_) x.push_back(domain.low);
      if (visit(x)) return true;  // every row was looked at since its sum changed last
    }
    while (!possible && work_left_ >= 0) {
      if (decisions_.empty()) return false;
      const Decision last = decisions_.back();
      decisions_.pop_back();
      undo(last.domains, last.ranges);
      variable = last.variable;
      possible = remove(variable, last.level);
    }
  }
  return false;
}

void Completion::replace(int variable, Domain domain) {
  Domain& own = domains_[variable];
  work_left_ -= 1 + static_cast<long>(domain.holes.size());
  for (const Contribution& c : feasible_->contributions(variable)) {
    const Range before = range(c, own), after = range(c, domain);
    const bool same = before.low == after.low && before.high == after.high;
    if (same && feasible_->rows()[c.row].set.empty()) continue;
    if (!same && std::exchange(range_kept_[c.row], last_decision()) != last_decision()) {
      range_trail_.push_back({c.row, sums_[c.row]});
    }
    sums_[c.row].low += after.low - before.low;
    sums_[c.row].high += after.high - before.high;
    if (queued_[c.row] == 0) {
      queued_[c.row] = 1;
      queue_.push_back(c.row);
    }
  }
  if (std::exchange(domain_kept_[variable], last_decision()) != last_decision()) {
    domain_trail_.push_back({variable, std::move(own)});
  }
  own = std::move(domain);
  enter(variable);
}

bool Completion::fix(int variable, int level) {
  replace(variable, {level, level});
  return propagate();
}

bool Completion::remove(int variable, int level) {
  Domain domain = domains_[variable];
  if (domain.size() == 1) return false;
  domain.remove(level);
  replace(variable, std::move(domain));
  return propagate();
}

bool Completion::propagate() {
  bool possible = true;
  while (!queue_.empty()) {
    const int r = queue_.back();
    queue_.pop_back();
    queued_[r] = 0;
    possible = possible && work_left_ >= 0;
    if (!possible) continue;  // only empties the queue
    const LinearRow& row = feasible_->rows()[r];
    const Range& sum = sums_[r];
    if (sum.low > row.high || sum.high < row.low) {
      possible = false;
    } else if (!row.set.empty()) {
      possible = support(row);
    } else if (sum.low + widest_[r] > row.high || sum.high - widest_[r] < row.low) {  // else no level can be ruled out
      work_left_ -= static_cast<long>(row.terms.size());
      for (const Contribution& c : row.terms) possible = possible && tighten(row, c);
    }
  }
  return possible;
}

/// Rules out the levels of a variable that the others in the row cannot make up for.
bool Completion::tighten(const LinearRow& row, const Contribution& c) {
  const Domain& domain = domains_[c.variable];
  if (domain.size() == 1) return true;
  const Range own = range(c, domain);
  const double others_low = sums_[c.row].low - own.low, others_high = sums_[c.row].high - own.high;
  const auto small_enough = [&](int level) { return others_low + c(level) <= row.high; };
  const auto large_enough = [&](int level) { return others_high + c(level) >= row.low; };
  Domain left = domain;
  if (c.by_level.empty()) {
    // Monotone in the level, so what is possible is an interval: one condition bounds it on each side.
    const auto first = [this](int low, int high, const auto& holds) {  // false ... false true ... true
      while (low <= high) {
        --work_left_;
        const int middle = low + (high - low) / 2;
        if (holds(middle))
          high = middle - 1;
        else
          low = middle + 1;
      }
      return low;  // high + 1: never
    };
    const bool rising = c.slope > 0;
    const int from = first(domain.low, domain.high, [&](int l) { return rising ? large_enough(l) : small_enough(l); });
    const int to = first(from, domain.high, [&](int l) { return !(rising ? small_enough(l) : large_enough(l)); }) - 1;
    left.cut(from, to);
    if (left.size() <= 0) return false;
  } else {
    for (int level = domain.low; level <= domain.high; ++level) {
      if (!left.has(level) || (small_enough(level) && large_enough(level))) continue;
      if (left.size() == 1) return false;
      left.remove(level);
    }
  }
  if (left.size() < domain.size()) replace(c.variable, std::move(left));
  return true;
}

/// Calls visit(sum) for every combination of the levels left; `levels` are those.
template <class Visit>
void Completion::for_each_left(const LinearRow& row, std::size_t k, double sum, std::vector<int>& levels,
                               const Visit& visit) {
  if (k == row.terms.size()) return visit(sum);
  const Domain& domain = domains_[row.terms[k].variable];
  auto hole = domain.holes.begin();
  for (int level = domain.low; level <= domain.high; ++level) {
    if (hole != domain.holes.end() && *hole == level) {
      ++hole;
      continue;
    }
    levels[k] = level;
    for_each_left(row, k + 1, sum + row.terms[k](level), levels, visit);
  }
}

/// Rules out the levels that are in no allowed combination of what is left. Where that means to look at very many,
/// waits until fewer are left.
bool Completion::support(const LinearRow& row) {
  constexpr double kMany = 1 << 16;
  double left = 1;
  for (const Contribution& c : row.terms) left *= domains_[c.variable].size();
  const bool by_set = static_cast<double>(row.set.size()) < left;
  const double looked_at = by_set ? static_cast<double>(row.set.size()) : left;
  if (looked_at > kMany) return true;
  work_left_ -= static_cast<long>(looked_at) * static_cast<long>(row.terms.size());
  std::vector<std::vector<char>> supported;
  for (const Contribution& c : row.terms) {
    supported.emplace_back(static_cast<std::size_t>(feasible_->space()[c.variable].levels), 0);
  }
  std::vector<int> levels(row.terms.size());
  const auto support_levels = [&] {
    for (std::size_t k = 0; k < levels.size(); ++k) supported[k][static_cast<std::size_t>(levels[k])] = 1;
  };
  if (by_set) {
    for (double sum : row.set) {
      bool possible = true;
      for (std::size_t k = 0; k < levels.size() && possible; ++k) {
        levels[k] = static_cast<int>(sum / row.terms[k].slope);
        sum -= levels[k] * row.terms[k].slope;
        possible = domains_[row.terms[k].variable].has(levels[k]);
      }
      if (possible) support_levels();
    }
  } else {
    for_each_left(row, 0, 0, levels, [&](double sum) {
      if (std::binary_search(row.set.begin(), row.set.end(), sum)) support_levels();
    });
  }
  for (std::size_t k = 0; k < levels.size(); ++k) {
    const int variable = row.terms[k].variable;
    const Domain& domain = domains_[variable];
    Domain kept{domain.high + 1, domain.low - 1};
    for (int level = domain.low; level <= domain.high; ++level) {
      if (supported[k][static_cast<std::size_t>(level)] == 0) {
        if (kept.high >= kept.low) kept.holes.push_back(level);
        continue;
      }
      kept.low = std::min(kept.low, level);
      kept.high = level;
    }
    if (kept.high < kept.low) return false;
    while (!kept.holes.empty() && kept.holes.back() > kept.high) kept.holes.pop_back();
    if (kept.size() < domain.size()) replace(variable, std::move(kept));
  }
  return true;
}

void Completion::undo(std::size_t domains, std::size_t ranges) {
  for (; domain_trail_.size() > domains; domain_trail_.pop_back()) {
    const int variable = domain_trail_.back().variable;
    domains_[variable] = std::move(domain_trail_.back().domain);
    enter(variable);
  }
  for (; range_trail_.size() > ranges; range_trail_.pop_back()) {
    sums_[range_trail_.back().row] = range_trail_.back().range;
  }
}

}  // namespace bocs
