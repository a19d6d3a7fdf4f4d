#pragma once
// A study described in a file: study.toml. docs/studies.md explains every key.

#include <filesystem>
#include <string>

#include "bocs/study/study_spec.hpp"

namespace bocs {

struct StudyFile {
  StudySpec spec;
  std::shared_ptr<const Method> method;  // of the spec: made once, to see that it fits, and then used
  std::string store;                     // URL; by default a SQLite file beside the study file
  std::filesystem::path data;            // CSV of past evaluations; empty: none
  std::filesystem::path folder;          // of the study file, absolute: relative paths start there
  bool nearest = false;  // numbers in the data that are between the values of a grid mean the nearest one
};

/// Throws InvalidArgument "FILE:LINE: what was found; what is allowed".
StudyFile load_study_file(const std::filesystem::path& file);

/// "10min", "1.5 h", "30s", "500ms", "2d", or a plain number of seconds. Throws InvalidArgument.
double parse_duration(const std::string& text);

}  // namespace bocs
