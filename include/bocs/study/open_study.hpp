#pragma once
// The study that a file describes: found in its store, or made there.

#include "bocs/store/patience.hpp"
#include "bocs/study/store.hpp"
#include "bocs/study/study_file.hpp"

namespace bocs {

/// The study of the file, made if it is not there yet, and as the file says now: the rows of its past data that are not
/// in it are added, and budget, parallelism and objective become the file's. Any number of processes may do it at once.
/// Throws InvalidArgument when the store holds another study of that name, or the data cannot be read.
Study open_study(const StudyFile& file, const Patience& patience = {});

}  // namespace bocs
