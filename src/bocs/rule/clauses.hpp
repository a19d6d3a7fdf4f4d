#pragma once
// Conditions taken apart: each clause, "one of these holds", becomes a row.

#include "bocs/rule/linear_form.hpp"

namespace bocs {

/// Adds rows that say what the condition says, at most `most` of them; false, and nothing added, where it cannot be
/// taken apart: what it is made of must be conditions on one variable each and, at most one in a clause, comparisons of
/// sums of whole numbers.
bool clauses_of(const Expression& condition, const Space& space, std::size_t most, std::vector<RowSource>& rows);

RangeSource at_least_one(const std::vector<Literal>& literals);

}  // namespace bocs
