#pragma once
// Methods compared on one's own objective: a study for each method and repetition, all in one store.

#include "bocs/experiment/cell.hpp"
#include "bocs/study/study.hpp"
#include "bocs/study/study_file.hpp"

namespace bocs {

/// The study of one method and repetition (from 0): that of the file, with the method, with a seed and a name of its
/// own, "stations, ei, 2", in the store. Methods share the seed of a repetition, and so, where they have the same,
/// their initial points. Throws InvalidArgument when the method is unknown or cannot treat the space.
StudyFile comparison_study(const StudyFile& file, const std::string& store, const std::string& method, int repeat);

/// What came of it, as the tables and figures of experiments read it: the problem is the study of the file.
CellResult comparison_result(const StudyFile& file, const Study& study, const std::string& method, int repeat);

}  // namespace bocs
