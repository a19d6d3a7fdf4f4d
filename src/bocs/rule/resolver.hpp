#pragma once
// What the names, levels and functions in a rule mean for a space.

#include "bocs/rule/expression.hpp"
#include "bocs/rule/names.hpp"
#include "bocs/space/syntax.hpp"

namespace bocs {

/// A condition. Throws InvalidArgument: "rule 'TEXT', column 3: there is no variable 'kk'; did you mean 'k'?".
Expression resolve(const std::string& text, Syntax rule, const Names& names, const CallMeaning& meaning);

}  // namespace bocs
