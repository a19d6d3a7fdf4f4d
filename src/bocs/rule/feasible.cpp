#include "bocs/rule/feasible.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "bocs/base/error.hpp"
#include "bocs/base/text.hpp"
#include "bocs/rule/completion.hpp"
#include "bocs/rule/sum_table.hpp"
#include "bocs/variable/type.hpp"

namespace bocs {
namespace {

constexpr std::size_t kTableSize = 300'000;  // numbers written to make the table: a fraction of a second
constexpr long kProofWork = 400'000'000;     // to find a point or prove that there is none: about a second
constexpr long kDrawWork = 5'000'000;        // of one random completion
constexpr int kDraws = 20;                   // completions tried, then the known point
constexpr int kMixing = 20;                  // steps of the walk per variable
constexpr long kNoLimit = std::numeric_limits<long>::max();

/// How the sum of a constraint is added up: see Contribution and LinearRow.
struct Precision {
  double rounder = 0;
  double slack = 0;
};

bool is_whole(double value) { return std::isinf(value) || value == std::floor(value); }

/// What the sums of a constraint are made of.
struct Extent {
  bool whole = true;                                          // whole numbers alone
  double smallest = std::numeric_limits<double>::infinity();  // change of the sum by a change of one variable
  double size = 0;                                            // no sum is larger

  void add_indicator(double weight) {
    whole = whole && is_whole(weight);
    if (weight != 0) smallest = std::min(smallest, std::abs(weight));
    size += std::abs(weight);
  }
  void add_value(double weight, const Coordinate& v) {
    whole = whole && is_whole(weight) && v.whole;
    double step = 1;
    for (std::size_t i = 1; i < v.values.size(); ++i) {
      const double gap = v.values[i] - v.values[i - 1];
      step = i == 1 ? gap : std::min(step, gap);
    }
    if (weight != 0) smallest = std::min(smallest, std::abs(weight) * step);
    size += std::abs(weight) * std::max(std::abs(v.value(0)), std::abs(v.value(v.levels - 1)));
  }
};

/// Throws InvalidArgument where rounding would decide what is allowed.
template <class Said>
Precision precision_of(const Constraint& constraint, const Extent& extent, const Said& said) {
  const double smallest = extent.smallest, size = extent.size;
  if (size == 0) return {};
  if (extent.whole && is_whole(constraint.low) && is_whole(constraint.high)) {
    constexpr double kExact = 4503599627370496;  // 2^52: the difference of two sums is exact, too
    require(size < kExact, [&] {
      return said("its sum can be as large as " + shortest(size) +
                  "; sums of whole numbers are exact below 2^52, about 4.5e15: divide the constraint by a number");
    });
    return {};
  }
  require(size < 1e300, [&] { return said("its sum can be as large as " + shortest(size) + "; allowed is 1e300"); });
  // With size < 2^51 units a contribution can be rounded by adding 3 * 2^51 units, whose last place is one unit.
  const double unit = std::ldexp(1, std::max(std::ilogb(size) - 50, -1022));
  // Half a unit for rounding each variable's share, one for reading decimal fractions, one for computing the shares.
  const double slack = (2 + 0.5 * static_cast<double>(constraint.terms.size())) * unit;
  require(smallest > 2 * slack, [&] {
    return said("a change of " + shortest(smallest) + " is lost in the rounding of sums as large as " + shortest(size));
  });
  return {std::ldexp(3, 51) * unit, slack};
}

Constraint as_constraint(const Space& space, const OwnRule& rule) {
  Constraint constraint{{}, rule.low, rule.high, rule.text};
  for (const auto& part : rule.parts) {
    const Coordinate& c = space[part.coordinate];
    const auto is = part.level ? std::optional(format_level(c, *part.level)) : std::nullopt;
    constraint.terms.push_back({c.name, is, part.weight});
  }
  return constraint;
}

}  // namespace

Feasible::Feasible(const Space& space, std::vector<Constraint> list)
    : space_(space),
      list_(std::move(list)),
      given_(static_cast<int>(list_.size())),
      contributions_(static_cast<std::size_t>(space.dimension())) {
  for (const OwnRule& rule : space.rules()) list_.push_back(as_constraint(space, rule));
  for (const Constraint& constraint : list_) compile(constraint);
  table_ = SumTable::make(*this, kTableSize);
  const auto all = [this] {
    std::vector<std::string> texts;
    for (const Constraint& c : list_) texts.push_back("'" + c.text + "'");
    return joined(texts, ", ");
  };
  const auto none = [&] { return "no point of the space satisfies the constraints " + all(); };
  if (table_ != nullptr) {
    require(table_->count() > 0, none);
    return;
  }
  const auto end = Completion(*this).run({.work = kProofWork}, [&](const Point& x) {
    witness_ = x;
    return true;
  });
  require(end != Completion::End::exhausted, none);
  if (end == Completion::End::limit) {
    throw Error("a search of " + std::to_string(kProofWork) +
                " steps neither found a point that satisfies the constraints " + all() +
                " nor proved that there is none");
  }
}

Feasible::~Feasible() = default;

void Feasible::compile(const Constraint& constraint) {
  const auto said = [&](const std::string& what) { return "constraint '" + constraint.text + "': " + what; };
  require(constraint.low <= constraint.high, [&] { return said("its lower bound is not below its upper bound"); });
  const int row = static_cast<int>(rows_.size());
  std::map<int, Contribution> by_variable;
  std::map<int, std::vector<std::pair<int, double>>> indicators;  // of levels, by variable
  Extent extent;
  for (const Term& term : constraint.terms) {
    require(std::isfinite(term.weight), [&] { return said("the weight of " + term.variable + " is not finite"); });
    int variable = 0, level = 0;
    try {
      variable = space_.index(term.variable);
      if (term.is) level = parse_level(space_[variable], *term.is);
    } catch (const InvalidArgument& e) {
      throw InvalidArgument(said(e.what()));
    }
    const Coordinate& v = space_[variable];
    require(term.is || v.has_value(),
            [&] { return said(v.name + " is categorical and has no value of its own; name one of its levels"); });
    Contribution& c = by_variable.try_emplace(variable, Contribution{row, variable}).first->second;
    if (term.is) {
      indicators[variable].emplace_back(level, term.weight);
      extent.add_indicator(term.weight);
    } else {
      c.offset += v.values.empty() ? term.weight * v.low : 0;
      c.slope += term.weight;
      extent.add_value(term.weight, v);
    }
  }
  const Precision precision = precision_of(constraint, extent, said);
  LinearRow& made = rows_.emplace_back(LinearRow{constraint.low - precision.slack, constraint.high + precision.slack});
  for (auto& [variable, c] : by_variable) {
    c.rounder = precision.rounder;
    const Coordinate& v = space_[variable];
    const auto named = indicators.find(variable);
    if (named != indicators.end() || !v.values.empty()) {
      for (int level = 0; level < v.levels; ++level) {
        c.by_level.push_back(v.values.empty() ? c.offset + c.slope * level : c.slope * v.values[level]);
      }
    }
    if (named != indicators.end()) {
      for (const auto& [level, weight] : named->second) c.by_level[level] += weight;
    }
    for (double& value : c.by_level) value = c.rounded(value);
    made.terms.push_back(c);
    contributions_[variable].push_back(std::move(c));
  }
}

int Feasible::violated(const Point& x) const {
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    double sum = 0;
    for (const Contribution& c : rows_[r].terms) sum += c(x[c.variable]);
    if (!rows_[r].allows(sum)) return static_cast<int>(r);
  }
  return -1;
}

std::optional<double> Feasible::count() const {
  return table_ == nullptr ? std::nullopt : std::optional(table_->count());
}

Point Feasible::random(Rng& rng) const {
  if (table_ != nullptr) return table_->random(rng);
  Point found;
  Completion completion(*this);
  for (int k = 0; k < kDraws && found.empty(); ++k) {
    completion.run({.rng = &rng, .work = kDrawWork}, [&](const Point& x) {
      found = x;
      return true;
    });
  }
  return mixed(found.empty() ? witness_ : found, rng);
}

/// Up to three variables get new levels, all at once, where that is allowed: a step is as likely as its reverse.
Point Feasible::mixed(Point x, Rng& rng) const {
  const auto d = static_cast<std::uint32_t>(space_.dimension());
  std::vector<double> sums(rows_.size(), 0);  // exact in any order
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    for (const Contribution& c : rows_[r].terms) sums[r] += c(x[c.variable]);
  }
  const auto change = [&](std::uint32_t i, std::int32_t level) {
    for (const Contribution& c : contributions_[i]) sums[c.row] += c(level) - c(x[i]);
    x[i] = level;
  };
  std::vector<std::pair<std::uint32_t, std::int32_t>> old;  // what the step changed
  const auto allowed = [&] {
    return std::all_of(old.begin(), old.end(), [&](const auto& changed) {
      const auto& touched = contributions_[changed.first];
      return std::all_of(touched.begin(), touched.end(),
                         [&](const Contribution& c) { return rows_[c.row].allows(sums[c.row]); });
    });
  };
  for (std::uint32_t step = 0; step < kMixing * d; ++step) {
    old.clear();
    for (std::uint32_t left = 1 + rng.below(3); left > 0; --left) {
      const auto i = rng.below(d);
      old.emplace_back(i, x[i]);
      const auto levels = static_cast<std::uint32_t>(space_[static_cast<int>(i)].levels);
      change(i, static_cast<std::int32_t>(rng.below(levels)));
    }
    if (allowed()) continue;
    for (auto undo = old.rbegin(); undo != old.rend(); ++undo) change(undo->first, undo->second);
  }
  return x;
}

Point Feasible::repair(const Point& x, Rng& rng) const {
  Point found;
  Completion completion(*this);
  for (int k = 0; k < kDraws && found.empty(); ++k) {
    completion.run({.preferred = x, .rng = &rng, .work = kDrawWork}, [&](const Point& near) {
      found = near;
      return true;
    });
  }
  return found.empty() ? random(rng) : found;
}

std::optional<Point> Feasible::outside(const PointSet& excluded, const Point& x) const {
  std::optional<Point> found;
  const long work = kProofWork + 100L * space_.dimension() * static_cast<long>(excluded.size());
  const auto end = Completion(*this).run({.preferred = x, .work = work}, [&](const Point& near) {
    if (excluded.contains(near)) return false;
    found = near;
    return true;
  });
  if (end == Completion::End::limit) {
    throw SearchGaveUp("a search of " + std::to_string(work) +
                       " steps found no allowed point that is new; there may be one");
  }
  return found;
}

void Feasible::for_each(const std::function<void(const Point&)>& visit) const {
  Completion(*this).run({.work = kNoLimit}, [&](const Point& x) {
    visit(x);
    return false;
  });
}

Point random_point(const Space& space, const Constraints& constraints, Rng& rng) {
  return constraints.empty() ? space.random(rng) : constraints.feasible().random(rng);
}

}  // namespace bocs
