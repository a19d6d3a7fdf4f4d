#pragma once
// Where an experiment is: its grids and its finished cells.

#include <filesystem>

#include "bocs/experiment/grid.hpp"
#include "command.hpp"

namespace bocs::cli {

/// Where the cells of an experiment are described, and where its results are.
struct ExperimentSource {
  std::filesystem::path file;  // a grid, a folder of grids, or a folder of results
  std::string scale = "full";
  std::filesystem::path out;

  /// None: a folder of results.
  [[nodiscard]] std::vector<Grid> grids() const;
  [[nodiscard]] std::filesystem::path folder(const Grid& grid) const;
  void add_to(CLI::App& command);
};

/// What is shown of results, and how.
struct ExperimentView {
  std::filesystem::path folder;
  std::vector<CellResult> results;
  TableOptions options;
};

/// The finished cells of the grids, or all of a folder; a note says how many are missing. Grids are shown as the first
/// one says.
ExperimentView load_experiment(const ExperimentSource& source);

/// How the grid wants its results shown: without a comparison while the method to be compared with has not run.
TableOptions table_options(const Grid& grid, const std::vector<CellResult>& results);

void warn_of_mixed_versions(const std::vector<CellResult>& results);

}  // namespace bocs::cli
