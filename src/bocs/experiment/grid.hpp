#pragma once
// What to compare: problems x methods x lambdas x instances x repetitions x budgets.

#include <filesystem>
#include <string_view>

#include "bocs/experiment/cell.hpp"
#include "bocs/experiment/statistics.hpp"

namespace bocs {

struct Grid {
  CellKind kind = CellKind::optimization;
  std::vector<std::string> problems;
  std::vector<std::string> methods;  // or regressions, see Cell::method
  std::vector<double> lambdas = {0};
  std::string penalty = "l1";
  std::vector<int> trials;  // budgets, or sizes of the training set
  int initial = 0;          // 0: the method's choice
  int in_flight = 1;
  int instances = 1;
  std::uint64_t first_instance = 0;
  int repeats = 1;
  std::uint64_t seed = 1;
  int test_points = 50;
  int draws = 100;
  std::string results;  // folder of the results, beside the grid in `results`; grids that name the same share cells
  TableOptions table;   // how it is shown
};

enum class GridScale { full, quick };

/// Reads a TOML file; GridScale::quick applies its table [quick] over the rest. Throws InvalidArgument with file and
/// line for unknown keys, wrong types and values out of bounds.
Grid load_grid(const std::filesystem::path& file, GridScale scale);

/// All cells, each once: repetition by repetition and instance by instance, methods innermost, so that an unfinished
/// experiment can already be compared. Only those of the first `replications` of instances times repeats; 0: of all.
/// Throws InvalidArgument if a list is empty.
std::vector<Cell> cells(const Grid& grid, int replications = 0);

/// Splits a list of specs at its commas: "bocs:order=3,model=mle,ei" -> "bocs:order=3,model=mle", "ei". A piece
/// "key=value" without a colon continues the spec before it.
std::vector<std::string> split_specs(std::string_view list);

}  // namespace bocs
