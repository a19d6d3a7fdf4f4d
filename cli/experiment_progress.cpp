#include "experiment_progress.hpp"

#include <fmt/core.h>

namespace bocs::cli {
namespace {

constexpr int kBarWidth = 30;

}  // namespace

std::string ExperimentProgress::kind_of(const Cell& cell) {
  return cell.problem + " " + cell.method + " " + std::to_string(cell.trials);
}

ExperimentProgress::ExperimentProgress(std::span<const Cell> todo, std::span<const CellResult> finished, int threads,
                                       bool quiet)
    : line_(quiet), total_(static_cast<int>(todo.size())), threads_(threads), quiet_(quiet) {
  for (const auto& cell : todo) ++kinds_[kind_of(cell)].left;
  for (const auto& result : finished) {
    Kind& kind = kinds_[kind_of(result.cell)];
    ++kind.timed;
    kind.seconds += result.seconds;
  }
  if (total_ > 0) draw_bar();  // the first cell may take minutes
}

/// ", 3 min left"; empty as long as no cell has been timed.
std::string ExperimentProgress::time_left() const {
  Kind all;
  for (const auto& [name, kind] : kinds_) {
    all.timed += kind.timed;
    all.seconds += kind.seconds;
  }
  if (all.timed == 0) return "";
  double seconds = 0;
  for (const auto& [name, kind] : kinds_) {
    const Kind& known = kind.timed > 0 ? kind : all;
    seconds += kind.left * known.seconds / known.timed;
  }
  return ", " + shown_duration(seconds / threads_) + " left";
}

void ExperimentProgress::draw_bar() const {
  const int filled = kBarWidth * done_ / total_;
  line_.show(fmt::format("[{}{}] {}/{} cells{}", std::string(filled, '#'), std::string(kBarWidth - filled, '.'), done_,
                         total_, time_left()));
}

void ExperimentProgress::show(const CellResult& result) {
  Kind& kind = kinds_[kind_of(result.cell)];
  --kind.left;
  ++kind.timed;
  kind.seconds += result.seconds;
  ++done_;
  draw_bar();
  const bool next_tenth = 10 * done_ / total_ > 10 * (done_ - 1) / total_;
  if (!line_.is_visible() && !quiet_ && next_tenth) warn(fmt::format("{}/{} cells{}", done_, total_, time_left()));
}

}  // namespace bocs::cli
