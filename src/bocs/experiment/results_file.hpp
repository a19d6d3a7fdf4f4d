#pragma once
// Finished cells on disk: one line of JSON each in DIR/cells.jsonl, appended in one write as soon as the cell is
// finished. Killing the process at any moment loses no finished cell.

#include <filesystem>
#include <vector>

#include "bocs/experiment/cell.hpp"

namespace bocs {

/// The finished cells of a folder, in the order of the file; none if there is no file. A last line without an end is
/// the torn trace of a killed process and is left out. Throws InvalidArgument, with file and line, for other text.
std::vector<CellResult> read_results(const std::filesystem::path& folder);

/// The right to append to a folder's file, held by one process at a time.
class ResultsFile {
 public:
  /// Creates the folder, takes the lock, and cuts off a torn last line. Throws Error if another process holds the lock.
  explicit ResultsFile(const std::filesystem::path& folder);
  ~ResultsFile();
  ResultsFile(const ResultsFile&) = delete;
  ResultsFile& operator=(const ResultsFile&) = delete;

  /// What was there when it was opened.
  [[nodiscard]] const std::vector<CellResult>& results() const { return results_; }
  /// Throws Error when the disk refuses.
  void append(const CellResult& result);

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
  std::vector<CellResult> results_;
};

}  // namespace bocs
