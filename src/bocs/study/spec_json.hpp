#pragma once
// The spec of a study as JSON text and back, to the last bit: what a store keeps of it.

#include <functional>

#include "bocs/study/study_spec.hpp"

namespace bocs {

/// Finds the candidates of that hash, which the text only names.
using LoadCandidates = std::function<std::shared_ptr<const Candidates>(const Space& space, const std::string& hash)>;

std::string spec_to_json(const StudySpec& spec);
/// Throws StoreError: not what this program wrote. Without `load` the spec has no candidates: to be listed, not used.
StudySpec spec_from_json(const std::string& text, const LoadCandidates& load = nullptr);

}  // namespace bocs
