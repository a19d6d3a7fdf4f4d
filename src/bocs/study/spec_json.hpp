#pragma once
// The spec of a study as JSON text and back, to the last bit: what a store keeps of it.

#include "bocs/study/study_spec.hpp"

namespace bocs {

std::string spec_to_json(const StudySpec& spec);
StudySpec spec_from_json(const std::string& text);  // throws StoreError: not what this program wrote

}  // namespace bocs
