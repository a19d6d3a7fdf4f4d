#include "progress.hpp"

#include <fmt/core.h>
#include <unistd.h>

namespace bocs::cli {

Progress::Progress(const Optimizer& optimizer, int trials, std::optional<double> optimum, bool quiet)
    : optimizer_(optimizer), trials_(trials), optimum_(optimum), visible_(!quiet && isatty(STDERR_FILENO) == 1) {}

void Progress::show() const {
  if (!visible_) return;
  const int done = optimizer_.history().size();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  std::string line = fmt::format("trial {}/{}", done, trials_);
  if (const Trial* best = optimizer_.best()) {
    line += fmt::format("  best {:.6g}", optimizer_.value(*best));
    if (optimum_) line += fmt::format("  regret {:.3g}", std::abs(optimizer_.value(*best) - *optimum_));
  }
  line += fmt::format("  {:.1f} trials/s  {:.0f} s left", done / seconds, seconds / done * (trials_ - done));
  fmt::print(stderr, "\r\033[K{}", line);
  std::fflush(stderr);
}

void Progress::clear() const {
  if (visible_) fmt::print(stderr, "\r\033[K");
}

}  // namespace bocs::cli
