#pragma once
// What is printed: lines, tables and JSON on stdout, progress on a terminal.

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bocs/base/error.hpp"

namespace bocs::cli {

/// What was printed did not arrive: a full disk, a closed pipe.
class OutputError : public Error {
 public:
  using Error::Error;
};
/// Sees to it that what was printed on stdout has arrived; throws OutputError.
void flush_output();

/// A line on stderr, without anything that steers a terminal. If it cannot be written (a full disk, a closed pipe), it
/// is lost and nothing else happens: no message is worth an evaluation.
void warn(const std::string& line) noexcept;
/// Fills what is missing of stdin, stdout and stderr, so that no file of ours becomes one of them. Using it still
/// fails.
void occupy_standard_streams();

using Json = nlohmann::ordered_json;
void print_json(const Json& value);  // one line, which has arrived when this returns
/// As it is printed: in a terminal with \uXXXX for all that is not ASCII, some of which would steer it. indent -1: one
/// line
std::string json_text(const Json& value, int indent);

/// The text without control characters and marks of direction: what came from a program, a file or a database must not
/// steer the terminal, nor look like something else.
std::string harmless(const std::string& text);
/// "3.14159", or "-" if there is none.
std::string shown_number(double value);
/// "3.4 s", "2 min 40 s", "5 h 12 min"
std::string shown_duration(double seconds);
/// "00:12:31"
std::string shown_clock(double seconds);
/// At most `limit` bytes of the text, and "..." for what follows them.
std::string shortened(const std::string& text, std::size_t limit);
/// "1 point", "3 points"
std::string counted(long long n, const std::string& thing);

/// Columns as wide as their longest cell; those that hold nothing but numbers are aligned to the right.
using Line = std::vector<std::string>;
void print_table(const Line& header, const std::vector<Line>& rows, const std::string& indent = "");

/// One line on stderr, rewritten again and again; nothing when stderr is not a terminal.
class StatusLine {
 public:
  explicit StatusLine(bool quiet);
  [[nodiscard]] bool is_visible() const { return visible_; }
  void show(const std::string& text) const;
  void clear() const;

 private:
  bool visible_;
};

/// How far a number of trials is.
class TrialProgress {
 public:
  /// trials: how many there will be, 0 if nobody knows; begun: how many of them are done already.
  TrialProgress(int trials, int begun, bool quiet) : line_(quiet), trials_(trials), begun_(begun) {}
  /// what: how good it is so far, in words; empty while nothing is known.
  void show(int done, const std::string& what) const;
  void clear() const { line_.clear(); }

 private:
  StatusLine line_;
  int trials_;
  int begun_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace bocs::cli
