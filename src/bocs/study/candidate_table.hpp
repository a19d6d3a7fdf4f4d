#pragma once
// Candidates as a table of text: a CSV file, the columns of a frame, the row of a store.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "bocs/rule/candidates.hpp"
#include "bocs/study/csv.hpp"

namespace bocs {

struct CandidateTable {
  Space space;
  std::shared_ptr<const Candidates> rows;
};

/// What a table of candidates may say besides its cells.
struct CandidateOptions {
  std::optional<Space> space = {};        // of the variables, each with a column; nothing: what the columns show
  std::vector<std::string> carried = {};  // columns that are no variables, though they might be
  std::string where = "candidates";       // begins the messages: the file
};

/// Without a space every column is a variable: 0 and 1 are binary; up to 100 numbers an ordinal; more a real number;
/// texts a categorical variable, levels in the order of the rows. Columns with one value in all rows, and texts that
/// name each row, are carried along. With a space, what is no variable is carried. Throws InvalidArgument:
/// "library.csv:7:
/// ...", for cells that are empty or no value of their variable, rows of the same point, a column called value.
CandidateTable candidate_table(const CsvTable& table, const CandidateOptions& options = {});

/// For the store: points and carried columns as text, and back. Throws StoreError for what it did not write.
std::string candidates_to_text(const Candidates& candidates);
std::shared_ptr<const Candidates> candidates_from_text(const Space& space, const std::string& text);

}  // namespace bocs
