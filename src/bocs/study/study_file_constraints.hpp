#pragma once
// The [[constraints]] of a study file.

#include "bocs/rule/constraint.hpp"
#include "bocs/study/toml_reader.hpp"

namespace bocs {

/// Every kind is a key of its own: rule (a text of the language), allowed and forbidden (a CSV file of combinations,
/// relative to the folder), at_most, at_least, exactly (with `of`), exclusive, forbidden, required, if and then,
/// linear (with "<=", ">=", "=="). `node` is the list of tables.
Constraints read_constraints(const TomlReader& reader, const toml::node& node, const Space& space,
                             const std::filesystem::path& folder,
                             std::shared_ptr<const Candidates> candidates = nullptr);

}  // namespace bocs
