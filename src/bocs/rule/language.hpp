#pragma once
// The language of rules (docs/constraints.md), compiled for the engine.

#include "bocs/rule/names.hpp"
#include "bocs/rule/row_source.hpp"
#include "bocs/space/syntax.hpp"

namespace bocs {

/// The rows that the points of the space must satisfy for the rules in the text to hold; none where they always do.
/// Throws InvalidArgument, with the column: what cannot be read, names nothing, or cannot be treated, and why.
std::vector<RowSource> compile_rules(const std::string& text, const Names& names);
/// With other functions than those of structures.
std::vector<RowSource> compile_rules(const std::string& text, const Names& names, const CallMeaning& meaning);

}  // namespace bocs
