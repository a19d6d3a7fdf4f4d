#include "bocs/rule/rows.hpp"

#include <cmath>
#include <map>

#include "bocs/base/error.hpp"
#include "bocs/base/text.hpp"
#include "bocs/rule/coordinates.hpp"

namespace bocs {
namespace {

std::string said(const std::string& text, const std::string& what) { return "constraint '" + text + "': " + what; }

/// How the sum of a row is added up: see Contribution and LinearRow.
struct Precision {
  double rounder = 0;
  double slack = 0;
};

bool is_whole(double value) { return std::isinf(value) || value == std::floor(value); }

/// What the sums of a row are made of.
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
    whole = whole && is_whole(weight) && is_whole_valued(v);
    const int last = count_levels(v) - 1;
    double step = step_of(v), largest = std::max(std::abs(value_of(v, 0)), std::abs(value_of(v, last)));
    for (int level = 1, found = 0; level <= last && !is_range(v); ++level) {
      const double gap = std::abs(value_of(v, level) - value_of(v, level - 1));
      largest = std::max(largest, std::abs(value_of(v, level)));
      if (gap > 0) step = found++ == 0 ? gap : std::min(step, gap);  // absent may count as much as the lowest value
    }
    if (weight != 0) smallest = std::min(smallest, std::abs(weight) * step);
    size += std::abs(weight) * largest;
  }
};

/// Throws InvalidArgument where rounding would decide what is allowed.
Precision precision_of(const RangeSource& source, const Extent& extent, const std::string& text) {
  const double smallest = extent.smallest, size = extent.size;
  if (size == 0) return {};
  if (extent.whole && is_whole(source.low) && is_whole(source.high)) {
    constexpr double kExact = 4503599627370496;  // 2^52: the difference of two sums is exact, too
    require(size < kExact, [&] {
      return said(text, "its sum can be as large as " + shortest(size) +
                            "; sums of whole numbers are exact below 2^52, about 4.5e15: divide the constraint by a "
                            "number");
    });
    return {};
  }
  require(size < 1e300,
          [&] { return said(text, "its sum can be as large as " + shortest(size) + "; allowed is 1e300"); });
  // With size < 2^51 units a contribution can be rounded by adding 3 * 2^51 units, whose last place is one unit.
  const double unit = std::ldexp(1, std::max(std::ilogb(size) - 50, -1022));
  // Half a unit for rounding each variable's share, one for reading decimal fractions, one for computing the shares.
  const double slack = (2 + 0.5 * static_cast<double>(source.terms.size())) * unit;
  require(smallest > 2 * slack, [&] {
    return said(text,
                "a change of " + shortest(smallest) + " is lost in the rounding of sums as large as " + shortest(size));
  });
  return {std::ldexp(3, 51) * unit, slack};
}

LinearRow range_row(const RangeSource& source, int row, const std::string& text, const Space& space) {
  require(source.low <= source.high, [&] { return said(text, "its lower bound is not below its upper bound"); });
  std::map<int, Contribution> by_variable;
  std::map<int, std::vector<std::pair<int, double>>> indicators;  // of levels, by variable
  Extent extent;
  for (const RowTerm& term : source.terms) {
    const Coordinate& v = space[term.variable];
    Contribution& c = by_variable.try_emplace(term.variable, Contribution{row, term.variable}).first->second;
    if (term.level >= 0) {
      require(!is_fine(v) || (v.optional && term.level == 0),
              [&] { return said(text, "'" + v.name + "' has no step: compare it with numbers, or give it steps"); });
      indicators[term.variable].emplace_back(term.level, term.weight);
      extent.add_indicator(term.weight);
    } else {
      require(is_range(v) || !is_fine(v), [&] {
        return said(text, "'" + v.name + "' has no step, and is " + (v.optional ? "absent at times" : "logarithmic") +
                              "; allowed in sums: give it steps");
      });
      c.offset += is_range(v) ? term.weight * value_of(v, 0) : 0;
      c.slope += term.weight * (is_range(v) ? step_of(v) : 1);
      extent.add_value(term.weight, v);
    }
  }
  const Precision precision = precision_of(source, extent, text);
  LinearRow made{source.low - precision.slack, source.high + precision.slack};
  for (auto& [variable, c] : by_variable) {
    c.rounder = precision.rounder;
    const Coordinate& v = space[variable];
    if (is_fine(v) && v.optional) {  // "absent": 1 at level 0, 0 at the others
      c.offset = indicators[variable].front().second;
      c.slope = -c.offset;
      c.cap = 1;
      made.terms.push_back(std::move(c));
      continue;
    }
    const bool listed = has_size(v) && !is_range(v);
    const auto named = indicators.find(variable);
    if (named != indicators.end() || listed) {
      for (int level = 0; level < count_levels(v); ++level) {
        c.by_level.push_back(listed ? c.slope * value_of(v, level) : c.offset + c.slope * level);
      }
    }
    if (named != indicators.end()) {
      for (const auto& [level, weight] : named->second) c.by_level[static_cast<std::size_t>(level)] += weight;
    }
    for (double& value : c.by_level) value = c.rounded(value);
    made.terms.push_back(std::move(c));
  }
  return made;
}

LinearRow table_row(const TableSource& source, int row, const Space& space) {
  LinearRow made{source.allowed.front(), source.allowed.back(), {}, source.allowed};
  double stride = 1;
  for (auto v = source.variables.rbegin(); v != source.variables.rend(); ++v) {
    made.terms.insert(made.terms.begin(), Contribution{.row = row, .variable = *v, .slope = stride});
    stride *= count_levels(space[*v]);
  }
  return made;
}

}  // namespace

bool LinearRow::same(const LinearRow& other) const {
  constexpr double kRounding = 1e-12;
  const auto near = [](double a, double b) {
    return a == b || std::abs(a - b) <= kRounding * std::max(std::abs(a), std::abs(b));
  };
  const auto alike = [&](const Contribution& a, const Contribution& b) {
    const bool result = a.variable == b.variable && a.by_level.size() == b.by_level.size() &&
                        near(a.offset, b.offset) && near(a.slope, b.slope);
    return result && std::equal(a.by_level.begin(), a.by_level.end(), b.by_level.begin(), near);
  };
  return near(low, other.low) && near(high, other.high) && set == other.set &&
         std::equal(terms.begin(), terms.end(), other.terms.begin(), other.terms.end(), alike);
}

RangeSource source_of(const Constraint& constraint, const Space& space) {
  RangeSource source{{}, constraint.low, constraint.high};
  for (const Term& term : constraint.terms) {
    const auto refused = [&](const std::string& what) { return said(constraint.text, what); };
    require(std::isfinite(term.weight), [&] { return refused("the weight of " + term.variable + " is not finite"); });
    RowTerm& made = source.terms.emplace_back(RowTerm{.weight = term.weight});
    try {
      made.variable = space.index(term.variable);
      if (term.is) made.level = level_of_text(space[made.variable], *term.is);
    } catch (const InvalidArgument& e) {
      throw InvalidArgument(refused(e.what()));
    }
    require(term.is || has_size(space[made.variable]), [&] {
      return refused(term.variable + " is categorical and has no value of its own; name one of its levels");
    });
  }
  return source;
}

LinearRow make_row(const RowSource& source, int index, const std::string& text, const Space& space) {
  if (const auto* table = std::get_if<TableSource>(&source)) return table_row(*table, index, space);
  return range_row(std::get<RangeSource>(source), index, text, space);
}

}  // namespace bocs
