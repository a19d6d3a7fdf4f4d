#include "terminal.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>

#include "bocs/base/clock.hpp"
#include "bocs/base/text.hpp"
#include "bocs/platform/platform.hpp"

namespace bocs::cli {
namespace {

/// Characters, not bytes.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

/// Characters of UTF-8 that are no control characters of ASCII, but steer a terminal all the same, or turn the order of
/// what follows around: a prefix, and the range of the last byte.
struct Steering {
  std::string_view prefix;
  char first, last;
};
constexpr std::array<Steering, 5> kSteering = {{
    {"\xC2", '\x80', '\x9F'},      // U+0080 to U+009F: C1, of which U+009B begins escape sequences
    {"\xD8", '\x9C', '\x9C'},      // U+061C: Arabic letter mark
    {"\xE2\x80", '\x8E', '\x8F'},  // U+200E, U+200F: marks of direction
    {"\xE2\x80", '\xA8', '\xAE'},  // U+2028 to U+202E: line ends, embedding and override of direction
    {"\xE2\x81", '\xA6', '\xA9'},  // U+2066 to U+2069: isolates
}};

bool is_number(const std::string& text) {
  return text.find_first_not_of("0123456789+-.e") == std::string::npos || text == "inf" || text.empty();
}

/// All of the text to stderr, or as much as can be written. No SIGPIPE comes of it.
void write_to_stderr(std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t written = platform::write_quietly(STDERR_FILENO, text.data(), text.size());
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
    if (written < 0 && errno != EINTR) return;
  }
}

}  // namespace

void warn(const std::string& line) noexcept {
  try {
    write_to_stderr(harmless(line) + "\n");
  } catch (...) {  // no memory for it
  }
}

void occupy_standard_streams() {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
    if (fcntl(stream, F_GETFD) >= 0) continue;
    (void)!open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);  // the lowest free number: this one
  }
}

void flush_output() {
  const bool failed = std::fflush(stdout) != 0;
  if (failed || std::ferror(stdout) != 0) {
    throw OutputError(std::string("the output could not be written: ") +
                      (failed ? std::strerror(errno) : "an earlier part is lost"));
  }
}

void print_json(const Json& value) {
  fmt::print("{}\n", json_text(value, -1));
  flush_output();
}

std::string json_text(const Json& value, int indent) {
  return value.dump(indent, ' ', isatty(STDOUT_FILENO) == 1, Json::error_handler_t::replace);
}

std::string harmless(const std::string& text) {
  std::string shown;
  const std::string clean = clean_utf8(text);
  for (std::size_t at = 0; at < clean.size();) {
    const std::string_view rest = std::string_view(clean).substr(at);
    const char c = rest.front();
    const auto steering = std::find_if(kSteering.begin(), kSteering.end(), [&](const Steering& range) {
      return rest.size() > range.prefix.size() && rest.starts_with(range.prefix) &&
             range.first <= rest[range.prefix.size()] && rest[range.prefix.size()] <= range.last;
    });
    if (steering != kSteering.end()) {
      shown += '?';
      at += steering->prefix.size() + 1;
    } else {
      shown += c == '\n' || c == '\t' ? ' ' : is_control(c) ? '?' : c;
      ++at;
    }
  }
  return shown;
}

std::string shown_number(double value) {
  return std::isfinite(value) ? fmt::format("{:.6g}", value + 0.0) : "-";  // never -0
}

std::string shown_duration(double seconds) {
  if (seconds < 10) return fmt::format("{:.2g} s", seconds);
  if (seconds < 120) return fmt::format("{:.0f} s", seconds);
  const auto parts = [&](double large, const char* large_name, double small, const char* small_name) {
    const auto smalls = std::llround(seconds / small);
    const auto per_large = std::llround(large / small);
    const std::string rest = smalls % per_large == 0 ? "" : fmt::format(" {} {}", smalls % per_large, small_name);
    return fmt::format("{} {}{}", smalls / per_large, large_name, rest);
  };
  if (seconds < 7200) return parts(60, "min", 1, "s");
  if (seconds < 172800) return parts(3600, "h", 60, "min");
  return parts(86400, "days", 3600, "h");
}

std::string shown_clock(double seconds) {
  const auto whole = static_cast<long long>(std::max(0.0, seconds));
  return fmt::format("{:02}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

std::string shortened(const std::string& text, std::size_t limit) {
  return text.size() <= limit ? text : clean_utf8(text.substr(0, limit)) + "...";
}

std::string counted(long long n, const std::string& thing) {
  return fmt::format("{} {}{}", n, thing, n == 1 ? "" : "s");
}

void print_table(const Line& header, const std::vector<Line>& rows, const std::string& indent) {
  std::vector<std::size_t> widths;
  std::vector<bool> right;
  for (std::size_t c = 0; c < header.size(); ++c) {
    widths.push_back(width(header[c]));
    right.push_back(true);
    for (const auto& row : rows) {
      widths[c] = std::max(widths[c], width(harmless(row[c])));
      right[c] = right[c] && is_number(row[c]);
    }
  }
  const auto print = [&](const Line& cells) {
    std::string line = indent;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const std::string cell = harmless(cells[c]);
      const std::string gap(widths[c] - width(cell), ' ');
      line += (c == 0 ? "" : "  ") + (right[c] ? gap + cell : cell + gap);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    fmt::print("{}\n", line);
  };
  print(header);
  for (const auto& row : rows) print(row);
}

StatusLine::StatusLine(bool quiet) : visible_(!quiet && isatty(STDERR_FILENO) == 1) {}

void StatusLine::show(const std::string& text) const {
  if (!visible_) return;
  winsize size{};
  std::string line = harmless(text);
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 && width(line) >= size.ws_col) {
    std::size_t end = 0;  // a line that wraps could not be rewritten
    for (std::size_t shown = 0; end < line.size() && shown < size.ws_col - 1U; ++shown) {
      do {
        ++end;
      } while (end < line.size() && (line[end] & 0xC0) == 0x80);
    }
    line.erase(end);
  }
  write_to_stderr("\r\033[K" + line);
}

void StatusLine::clear() const {
  if (visible_) write_to_stderr("\r\033[K");
}

void TrialProgress::show(int done, const std::string& what) const {
  const double seconds = seconds_since(start_);
  std::string text = trials_ > 0 ? fmt::format("trial {}/{}", done, trials_) : fmt::format("trial {}", done);
  if (!what.empty()) text += "  " + what;
  const int told = done - begun_;
  if (told > 0) {
    text += fmt::format("  {:.3g} trials/s", told / seconds);
    if (trials_ > 0) text += fmt::format("  {} left", shown_duration(seconds / told * (trials_ - done)));
  }
  line_.show(text);
}

}  // namespace bocs::cli
