#pragma once
// Evaluations as CSV (RFC 4180): one row each, one column per variable and one called "value", or "bocs:value" where a
// variable is called so.

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "bocs/study/column_names.hpp"
#include "bocs/study/study.hpp"

namespace bocs {

struct PastData {
  std::vector<Evaluation> evaluations;
  int skipped = 0;  // rows without a value (empty or NaN): failed, or never finished
  int moved = 0;    // numbers that were between the values of their variable, and went to the nearest one
};

/// Reads a column for every variable and `value`; others are ignored, so that an exported file can be read. Columns are
/// separated by commas or, as some spreadsheets write them, by semicolons, numbers then perhaps with a decimal comma.
/// With `nearest`, a number between two values of its variable means the nearest one. Throws InvalidArgument
/// "FILE:LINE: what was found; what is allowed" for each of the first wrong rows, also for points that break a
/// constraint.
PastData read_csv(const std::filesystem::path& file, const Task& task, bool nearest = false);

/// A table as it stands: the first line names the columns. Separators as above.
struct CsvTable {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  // as long as the columns
  char separator = ',';                        // ';': numbers may have a decimal comma
  std::vector<int> lines = {};                 // of the file, where each row begins; empty: there is none
};
CsvTable read_csv_table(const std::filesystem::path& file);

/// One line of a file, quoted where that is needed, so that no spreadsheet takes a text for a formula.
std::string csv_line(const std::vector<std::string>& cells);
/// One cell of a point; nothing for what is absent.
std::string cell_text(const Space& space, const Point& x, const Column& column);

/// All trials: number, state, the variables, value, total (with the penalty), seconds, error, one column per metric. A
/// column of ours that would be called like a variable is called "bocs:NAME".
std::string to_csv(const Study& study);
std::string to_csv(const Study& study, std::span<const Trial* const> trials);

}  // namespace bocs
