// Study files, with their constraints. Methods are not made here (no_methods.cpp).

#include "bocs/rule/feasible.hpp"
#include "bocs/store/json.hpp"
#include "bocs/study/spec_json.hpp"
#include "bocs/study/study_file.hpp"
#include "fuzz.hpp"

using namespace bocs;

FUZZ(text) {
  const StudyFile file = load_study_file(fuzz::as_file(text));
  const std::string once = spec_to_json(file.spec);
  fuzz::must(spec_to_json(spec_from_json(once)) == once);
}
