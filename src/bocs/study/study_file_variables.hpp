#pragma once
// The variables of a study file: its [[variables]], its table of candidates.

#include "bocs/study/candidate_table.hpp"
#include "bocs/study/toml_reader.hpp"

namespace bocs {

/// The [[variables]] tables.
Space read_variables(const TomlReader& reader, const toml::node& node);

/// `candidates` and `carry`, at the top or under [study], with the [[variables]] if there are any. Nothing: there are
/// no candidates.
std::optional<CandidateTable> read_candidates(const TomlReader& reader);

/// Where the space is described, for what is wrong with it.
const toml::node& place_of_space(const TomlReader& reader);

}  // namespace bocs
