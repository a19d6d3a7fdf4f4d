#pragma once
// What a study file says of the numbers an evaluation reports: [[goals]], and `outcomes` under [study]; and
// of the setting that is in use, [default].

#include "bocs/study/toml_reader.hpp"
#include "bocs/trial/trial.hpp"

namespace bocs {

/// Each goal: name, direction, and if it is known for every point or has a value of no interest, known and reference.
std::vector<Goal> read_goals(const TomlReader& reader, const toml::node& node, const Space& space);

/// [default]: a value for every variable.
Point read_default(const TomlReader& reader, const toml::table& table, const Space& space);

/// "growth >= 0.1", or a list of such texts.
std::vector<OutcomeLimit> read_outcomes(const TomlReader& reader, const toml::node& node);

}  // namespace bocs
