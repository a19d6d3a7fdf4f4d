#pragma once
// Any program as the black box.
//
// It gets the point as a JSON object on stdin, {"crew": 3, "depot": "river"}, as environment variables BOCS_CREW and
// BOCS_DEPOT, and wherever an argument says {crew} or {depot} ({{ is a plain {); BOCS_TRIAL is the number of the trial.
// It prints the value as the last line of stdout, or there a JSON object with "value" and any other numbers, which are
// kept as metrics if they are finite. Everything else is a failed evaluation: another exit code than 0, a signal, a
// time-out, a last line that is no finite number.

#include <string>
#include <vector>

#include "bocs/run/objective.hpp"

namespace bocs {

struct CommandOptions {
  std::vector<std::string> arguments;    // the program first; not a shell line
  double timeout_seconds = 0;            // of one attempt; 0: none
  int retries = 0;                       // attempts after the first failed one
  std::string directory = {};            // where the program runs; empty: the current one
  std::function<bool()> cancelled = {};  // asked often; true: end the program and throw Cancelled
};

/// Throws InvalidArgument: no program, a placeholder that names no variable, names that cannot be told apart in the
/// environment.
Objective command(CommandOptions options, const Space& space);

/// "BOCS_STATION_3" for station[3].
std::string environment_name(const std::string& variable);

/// The value and the metrics in the last line of what a program printed; a failure that says what is there instead.
Outcome parse_output(const std::string& output);

/// At most the last `limit` bytes, as clean_utf8 (core/text.hpp) makes them.
std::string readable(const std::string& bytes, std::size_t limit);

}  // namespace bocs
