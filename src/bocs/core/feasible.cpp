#include "bocs/core/feasible.hpp"

#include <algorithm>
#include <cmath>

#include "bocs/core/error.hpp"

namespace bocs {

Feasible::Feasible(const Space& space, std::vector<Constraint> list)
    : space_(space), list_(std::move(list)), contributions_(static_cast<std::size_t>(space.dimension())) {
  for (const Constraint& constraint : list_) compile(constraint);
}

Feasible::~Feasible() = default;

void Feasible::compile(const Constraint& constraint) {
  const auto said = [&](const std::string& what) { return "constraint '" + constraint.text + "': " + what; };
  require(constraint.low <= constraint.high, [&] { return said("its lower bound is above its upper bound"); });
  const int row = static_cast<int>(rows_.size());
  Row& made = rows_.emplace_back();
  double size = 1;  // of the numbers that are added
  for (const Term& term : constraint.terms) {
    require(std::isfinite(term.weight), [&] { return said("the weight of " + term.variable + " is not finite"); });
    int variable = 0, level = 0;
    try {
      variable = space_.index(term.variable);
      if (term.is) level = parse_level(space_[variable], *term.is);
    } catch (const InvalidArgument& e) {
      throw InvalidArgument(said(e.what()));
    }
    const Variable& v = space_[variable];
    require(term.is || v.kind != Kind::categorical,
            [&] { return said(v.name + " is categorical and has no value of its own; name one of its levels"); });
    auto& own = contributions_[static_cast<std::size_t>(variable)];
    if (own.empty() || own.back().row != row) {
      own.push_back({row});
      made.variables.push_back(variable);
    }
    Contribution& c = own.back();
    if (term.is) {
      c.extra.resize(static_cast<std::size_t>(v.levels), 0.0);
      c.extra[static_cast<std::size_t>(level)] += term.weight;
      size += std::abs(term.weight);
    } else {
      c.offset += term.weight * v.low;
      c.slope += term.weight;
      size += std::abs(term.weight) * std::max(std::abs(v.low), std::abs(v.low + v.levels - 1));
    }
  }
  std::sort(made.variables.begin(), made.variables.end());
  const double rounding = 1e-12 * size;
  made.low = constraint.low - rounding;
  made.high = constraint.high + rounding;
}

std::vector<double> Feasible::sums(const Point& x) const {
  std::vector<double> result(rows_.size(), 0.0);
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (const Contribution& c : contributions_[i]) result[static_cast<std::size_t>(c.row)] += c(x[i]);
  }
  return result;
}

bool Feasible::contains(const Point& x) const {
  const std::vector<double> at = sums(x);
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    if (!rows_[r].allows(at[r])) return false;
  }
  return true;
}

}  // namespace bocs
