#include "experiment_progress.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>

namespace bocs::cli {
namespace {

constexpr int kBarWidth = 30;

std::string duration(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", seconds);
  if (seconds < 90 * 60) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

}  // namespace

std::string ExperimentProgress::kind_of(const Cell& cell) {
  return cell.problem + " " + cell.method + " " + std::to_string(cell.trials);
}

ExperimentProgress::ExperimentProgress(std::span<const Cell> todo, std::span<const CellResult> finished, int threads,
                                       bool quiet)
    : total_(static_cast<int>(todo.size())), threads_(threads), quiet_(quiet), terminal_(isatty(STDERR_FILENO) == 1) {
  for (const auto& cell : todo) ++kinds_[kind_of(cell)].left;
  for (const auto& result : finished) {
    Kind& kind = kinds_[kind_of(result.cell)];
    ++kind.timed;
    kind.seconds += result.seconds;
  }
}

double ExperimentProgress::seconds_left() const {
  Kind all;
  for (const auto& [name, kind] : kinds_) {
    all.timed += kind.timed;
    all.seconds += kind.seconds;
  }
  double seconds = 0;
  for (const auto& [name, kind] : kinds_) {
    const Kind& known = kind.timed > 0 ? kind : all;
    seconds += kind.left * known.seconds / known.timed;
  }
  return seconds / threads_;
}

void ExperimentProgress::show(const CellResult& result) {
  Kind& kind = kinds_[kind_of(result.cell)];
  --kind.left;
  ++kind.timed;
  kind.seconds += result.seconds;
  ++done_;
  if (quiet_) return;
  const std::string left = duration(seconds_left());
  if (terminal_) {
    const auto filled = static_cast<std::size_t>(kBarWidth * done_ / total_);
    fmt::print(stderr, "\r\033[K[{}{}] {}/{} cells, {} left", std::string(filled, '#'),
               std::string(kBarWidth - filled, '.'), done_, total_, left);
  } else if (10 * done_ / total_ > 10 * (done_ - 1) / total_) {
    fmt::print(stderr, "{}/{} cells, {} left\n", done_, total_, left);
  }
  std::fflush(stderr);
}

void ExperimentProgress::clear() const {
  if (terminal_ && !quiet_) fmt::print(stderr, "\r\033[K");
}

}  // namespace bocs::cli
