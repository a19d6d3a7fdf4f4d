#include "bocs/rule/sum.hpp"

#include "bocs/base/error.hpp"
#include "bocs/rule/language.hpp"

namespace bocs {

KnownSum::KnownSum(const Space& space, const std::string& text) : tables_(static_cast<std::size_t>(space.dimension())) {
  const Names names(space);
  const auto rows = compile_rules("(" + text + ") >= 0", names);  // the row of a comparison has the terms of the sum
  const auto* row = rows.size() == 1 ? std::get_if<RangeSource>(&rows.front()) : nullptr;
  require(row != nullptr,
          [&] { return "'" + text + "' is no sum of values, counts and conditions on one variable each"; });
  constant_ = 0.0 - row->low;
  for (const RowTerm& term : row->terms) {
    const Coordinate& c = space[term.variable];
    require(!c.scale, [&] { return "'" + text + "': " + c.name + " has no step; allowed: variables with steps"; });
    auto& table = tables_[static_cast<std::size_t>(term.variable)];
    table.resize(static_cast<std::size_t>(c.levels), 0.0);
    for (std::int32_t level = 0; level < c.levels; ++level) {
      const double value = term.level < 0 ? c.value(level) : static_cast<double>(level == term.level);
      table[static_cast<std::size_t>(level)] += term.weight * value;
    }
  }
}

double KnownSum::operator()(const Point& x) const {
  double sum = constant_;
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    if (!tables_[i].empty()) sum += tables_[i][static_cast<std::size_t>(x[i])];
  }
  return sum;
}

const std::vector<double>& KnownSum::of_levels(int coordinate) const {
  return tables_[static_cast<std::size_t>(coordinate)];
}

}  // namespace bocs
