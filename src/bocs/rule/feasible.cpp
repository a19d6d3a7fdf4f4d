#include "bocs/rule/feasible.hpp"

#include <algorithm>

#include "bocs/base/error.hpp"
#include "bocs/base/text.hpp"
#include "bocs/rule/completion.hpp"
#include "bocs/rule/language.hpp"
#include "bocs/rule/rows.hpp"
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

Constraint as_constraint(const Space& space, const OwnRule& rule) {
  Constraint constraint{{}, rule.low, rule.high, rule.text};
  for (const auto& part : rule.parts) {
    const Coordinate& c = space[part.coordinate];
    const auto is = part.level ? std::optional(format_level(c, *part.level)) : std::nullopt;
    constraint.terms.push_back({c.name, is, part.weight});
  }
  return constraint;
}

/// Of a number without a step that may be absent: absent half of the time, for all its values weigh as much together.
std::int32_t any_level(const Coordinate& c, Rng& rng) {
  if (!c.scale || !c.optional) return static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(c.levels)));
  return rng.below(2) == 0 ? 0 : 1 + static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(c.levels - 1)));
}

}  // namespace

Feasible::Feasible(const Space& space, std::vector<Constraint> list, std::shared_ptr<const Candidates> candidates)
    : space_(space),
      list_(std::move(list)),
      contributions_(static_cast<std::size_t>(space.dimension())),
      candidates_(std::move(candidates)) {
  for (std::size_t k = 0; k < list_.size(); ++k) compile(static_cast<int>(k));
  given_ = static_cast<int>(rows_.size());
  for (const OwnRule& rule : space.rules()) {
    list_.push_back(as_constraint(space, rule));
    compile(static_cast<int>(list_.size()) - 1);
  }
  if (candidates_ != nullptr) {
    keep_candidates();
    return;
  }
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

void Feasible::compile(int index) {
  const Constraint& constraint = list_[static_cast<std::size_t>(index)];
  std::vector<RowSource> sources;
  if (constraint.rule.empty()) {
    sources.emplace_back(source_of(constraint, space_));
  } else {
    sources = compile_rules(constraint.rule, Names(space_));
  }
  for (const RowSource& source : sources) {
    rows_.push_back(make_row(source, static_cast<int>(rows_.size()), constraint.text, space_));
    constraint_of_.push_back(index);
    for (const Contribution& c : rows_.back().terms) contributions_[static_cast<std::size_t>(c.variable)].push_back(c);
  }
}

/// They are the last constraint of the list, without a row.
void Feasible::keep_candidates() {
  require(candidates_->dimension() == static_cast<std::size_t>(space_.dimension()),
          "the candidates are those of another space");
  for (std::size_t k = 0; k < candidates_->size(); ++k) {
    if (violated_row(candidates_->levels(k)) < 0) allowed_.push_back(static_cast<std::uint32_t>(k));
  }
  require(!allowed_.empty(), [&] {
    std::vector<std::string> texts;
    for (const Constraint& c : list_) texts.push_back("'" + c.text + "'");
    return "none of the " + std::to_string(candidates_->size()) + " candidates satisfies the constraints " +
           joined(texts, ", ");
  });
  list_.push_back({.terms = {}, .text = "one of the " + std::to_string(candidates_->size()) + " candidates"});
}

int Feasible::violated_row(const std::int32_t* x) const {
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    double sum = 0;
    for (const Contribution& c : rows_[r].terms) sum += c(x[c.variable]);
    if (!rows_[r].allows(sum)) return constraint_of_[r];
  }
  return -1;
}

int Feasible::violated(const Point& x) const {
  const int violated = violated_row(x.data());
  if (violated >= 0 || candidates_ == nullptr || candidates_->find(x)) return violated;
  return static_cast<int>(list_.size()) - 1;
}

/// Those that differ from x in the fewest coordinates; -1 in x: any level will do.
std::vector<std::uint32_t> Feasible::nearest_candidates(const Point& x, const PointSet& excluded) const {
  std::vector<std::uint32_t> nearest;
  std::size_t fewest = x.size() + 1;
  for (const std::uint32_t row : allowed_) {
    const std::int32_t* levels = candidates_->levels(row);
    std::size_t differing = 0;
    for (std::size_t i = 0; i < x.size(); ++i) differing += x[i] >= 0 && levels[i] != x[i] ? 1 : 0;
    if (differing > fewest || (!excluded.empty() && excluded.contains(candidates_->point(row)))) continue;
    if (differing < fewest) nearest.clear();
    fewest = differing;
    nearest.push_back(row);
  }
  return nearest;
}

std::vector<Point> Feasible::neighbours_in_table(const Point& x) const {
  constexpr int kMostDiffering = 2;
  std::vector<Point> neighbours;
  for (const std::uint32_t row : allowed_) {
    const std::int32_t* levels = candidates_->levels(row);
    int differing = 0;
    for (std::size_t i = 0; i < x.size() && differing <= kMostDiffering; ++i) differing += levels[i] != x[i] ? 1 : 0;
    if (differing > 0 && differing <= kMostDiffering) neighbours.push_back(candidates_->point(row));
  }
  return neighbours;
}

std::optional<double> Feasible::count() const {
  if (candidates_ != nullptr) return static_cast<double>(allowed_.size());
  return table_ == nullptr ? std::nullopt : std::optional(table_->count());
}

Point Feasible::random(Rng& rng) const {
  if (candidates_ != nullptr) {
    return candidates_->point(allowed_[rng.below(static_cast<std::uint32_t>(allowed_.size()))]);
  }
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
      change(i, any_level(space_[static_cast<int>(i)], rng));
    }
    if (allowed()) continue;
    for (auto undo = old.rbegin(); undo != old.rend(); ++undo) change(undo->first, undo->second);
  }
  return x;
}

Point Feasible::repair(const Point& x, Rng& rng) const {
  if (candidates_ != nullptr) {
    const auto nearest = nearest_candidates(x, {});
    return candidates_->point(nearest[rng.below(static_cast<std::uint32_t>(nearest.size()))]);
  }
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
  if (candidates_ != nullptr) {
    const auto nearest = nearest_candidates(x, excluded);
    return nearest.empty() ? std::nullopt : std::optional(candidates_->point(nearest.front()));
  }
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
  if (candidates_ != nullptr) {
    for (const std::uint32_t row : allowed_) visit(candidates_->point(row));
    return;
  }
  Completion(*this).run({.work = kNoLimit}, [&](const Point& x) {
    visit(x);
    return false;
  });
}

Point random_point(const Space& space, const Constraints& constraints, Rng& rng) {
  return constraints.empty() ? space.random(rng) : constraints.feasible().random(rng);
}

}  // namespace bocs
