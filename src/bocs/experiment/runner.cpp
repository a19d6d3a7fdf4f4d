#include "bocs/experiment/runner.hpp"

#include <atomic>
#include <mutex>
#include <set>

#include "bocs/base/error.hpp"
#include "bocs/experiment/measure.hpp"
#include "bocs/numeric/parallel.hpp"

namespace bocs {

std::vector<Cell> unfinished(std::span<const Cell> cells, std::span<const CellResult> results) {
  std::set<std::string> finished;
  for (const auto& result : results) finished.insert(result.cell.key());
  std::vector<Cell> rest;
  for (const auto& cell : cells) {
    if (!finished.contains(cell.key())) rest.push_back(cell);
  }
  return rest;
}

void check(std::span<const Cell> cells) {
  std::set<std::pair<std::string, std::string>> checked;  // problem, method
  for (const auto& cell : cells) {
    if (checked.emplace(cell.problem, cell.method).second) check(cell);
  }
}

RunnerResult run_cells(std::span<const Cell> cells, ResultsFile& file, const RunnerOptions& options) {
  Optima optima;
  for (const auto& result : file.results()) optima.remember(result);
  std::mutex mutex;  // of the file and on_result
  std::atomic<bool> disk_refused = false;
  RunnerResult outcome;
  std::vector<std::string> errors(cells.size());
  const auto stop = [&] { return disk_refused || (options.stop && options.stop()); };

  const auto run_one = [&](int i) {
    if (stop()) return;
    const Cell& cell = cells[static_cast<std::size_t>(i)];
    std::optional<CellResult> result;
    try {
      result = measure(cell, optima, stop);
    } catch (const std::exception& error) {
      errors[static_cast<std::size_t>(i)] = cell.key() + ": " + error.what();
    }
    if (!result) return;
    const std::lock_guard lock(mutex);
    if (disk_refused) return;  // nothing may follow a torn line
    try {
      file.append(*result);
    } catch (...) {
      disk_refused = true;
      throw;
    }
    ++outcome.finished;
    if (options.on_result) options.on_result(*result);
  };
  parallel_for(static_cast<int>(cells.size()), options.threads, run_one);

  for (auto& error : errors) {
    if (!error.empty()) outcome.errors.push_back(std::move(error));
  }
  outcome.stopped = options.stop && options.stop();
  return outcome;
}

}  // namespace bocs
