#include "experiment_source.hpp"

#include <fmt/core.h>

#include <map>

#include "bocs/experiment/results_file.hpp"
#include "terminal.hpp"

namespace bocs::cli {

namespace fs = std::filesystem;

std::vector<Grid> ExperimentSource::grids() const {
  std::vector<fs::path> files;
  if (!fs::is_directory(file)) files.push_back(file);
  for (const auto& entry : files.empty() ? fs::directory_iterator(file) : fs::directory_iterator()) {
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<Grid> all;
  for (const auto& path : files) all.push_back(load_grid(path, scale == "quick" ? GridScale::quick : GridScale::full));
  return all;
}

fs::path ExperimentSource::folder(const Grid& grid) const {
  return out.empty() ? (fs::is_directory(file) ? file : file.parent_path()) / "results" / grid.results : out;
}

void ExperimentSource::add_to(CLI::App& command) {
  command.add_option("--scale", scale, "quick: the small form of the grid, in its table [quick]")
      ->check(CLI::IsMember({"full", "quick"}))
      ->type_name("SCALE")
      ->capture_default_str();
  command.add_option("--out", out, "folder of the results; otherwise the one the grid names, in `results` beside it")
      ->type_name("DIR");
}

TableOptions table_options(const Grid& grid, const std::vector<CellResult>& results) {
  TableOptions options = grid.table;
  const auto is_there = [&](const CellResult& result) { return result.cell.method == options.against; };
  if (std::none_of(results.begin(), results.end(), is_there)) options.against.clear();
  return options;
}

void warn_of_mixed_versions(const std::vector<CellResult>& results) {
  std::map<std::string, int> counts;
  for (const auto& result : results) ++counts[result.version];
  if (counts.size() < 2) return;
  std::string text;
  for (const auto& [version, count] : counts) {
    text += fmt::format("{}{} of {}", text.empty() ? "" : ", ", count, version);
  }
  warn(fmt::format("bocs: the cells are mixed: {}; a new folder (--out) runs all of them anew", text));
}

ExperimentView load_experiment(const ExperimentSource& source) {
  require(fs::exists(source.file), [&] { return source.file.string() + ": there is no such file or folder"; });
  const auto grids = source.grids();
  ExperimentView view;
  std::size_t wanted = 0;
  for (const Grid& grid : grids) {
    const auto of_grid = cells(grid);
    view.folder = source.folder(grid);
    for (auto& result : select(read_results(view.folder), of_grid)) view.results.push_back(std::move(result));
    wanted += of_grid.size();
  }
  if (grids.empty()) {
    view.folder = source.file;
    view.results = sorted(read_results(view.folder));
    wanted = view.results.size();
  } else {
    view.options = table_options(grids.front(), view.results);
  }
  if (view.results.empty())
    throw BadData(view.folder.string() + ": no finished cell is there; bocs experiment run makes them");
  if (view.results.size() < wanted) {
    warn(fmt::format("bocs: {} of {} cells are finished; `bocs experiment run` goes on", view.results.size(), wanted));
  }
  warn_of_mixed_versions(view.results);
  return view;
}

}  // namespace bocs::cli
