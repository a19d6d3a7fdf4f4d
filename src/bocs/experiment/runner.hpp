#pragma once
// Runs cells on several threads and keeps every one as soon as it is finished.

#include <functional>
#include <span>

#include "bocs/experiment/results_file.hpp"

namespace bocs {

struct RunnerOptions {
  int threads = 1;                                        // the results do not depend on it
  std::function<bool()> stop = {};                        // true: begin nothing, drop what is half done
  std::function<void(const CellResult&)> on_result = {};  // after it is kept; one call at a time
};

struct RunnerResult {
  int finished = 0;
  bool stopped = false;
  std::vector<std::string> errors;  // of cells that could not be run, in the order of the cells
};

/// The cells that the results do not have yet, in the same order.
std::vector<Cell> unfinished(std::span<const Cell> cells, std::span<const CellResult> results);

/// Throws InvalidArgument, before anything is run, if a problem or method of the cells cannot be made.
void check(std::span<const Cell> cells);

/// Throws Error if a result cannot be kept.
RunnerResult run_cells(std::span<const Cell> cells, ResultsFile& file, const RunnerOptions& options);

}  // namespace bocs
