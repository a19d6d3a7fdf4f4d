#pragma once
// The rows of the engine, made of what constraints and rules come down to.

#include "bocs/rule/feasible.hpp"
#include "bocs/rule/row_source.hpp"

namespace bocs {

/// Of a constraint that is no text of the language. Throws InvalidArgument.
RangeSource source_of(const Constraint& constraint, const Space& space);

/// `text` names the constraint in messages. Throws InvalidArgument where rounding would decide what is allowed.
LinearRow make_row(const RowSource& source, int index, const std::string& text, const Space& space);

}  // namespace bocs
