#include "progress.hpp"

#include <fmt/core.h>
#include <unistd.h>

namespace bocs::cli {

Progress::Progress(int trials, int begun, bool quiet)
    : trials_(trials), begun_(begun), visible_(!quiet && isatty(STDERR_FILENO) == 1) {}

void Progress::show(int done, const std::string& what) const {
  if (!visible_) return;
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  std::string line = trials_ > 0 ? fmt::format("trial {}/{}", done, trials_) : fmt::format("trial {}", done);
  if (!what.empty()) line += "  " + what;
  const int told = done - begun_;
  if (told > 0) {
    line += fmt::format("  {:.3g} trials/s", told / seconds);
    if (trials_ > 0) line += fmt::format("  {} left", shown_duration(seconds / told * (trials_ - done)));
  }
  fmt::print(stderr, "\r\033[K{}", line);
  std::fflush(stderr);
}

void Progress::clear() const {
  if (visible_) fmt::print(stderr, "\r\033[K");
}

std::string shown_duration(double seconds) {
  if (seconds < 120) return fmt::format("{:.3g} s", seconds);
  if (seconds < 7200) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

}  // namespace bocs::cli
