#pragma once
// Any program as the black box.
//
// It is started for every evaluation. It gets the point as a JSON object on stdin, {"crew": 3, "depot": "river"}, as
// environment variables BOCS_CREW and BOCS_DEPOT, and wherever an argument says {crew} or {depot} ({{ is a plain {);
// BOCS_TRIAL is the number of the trial. It prints the value as the last line of stdout, or there a JSON object with
// "value" and any other numbers, which are kept as metrics if they are finite. Everything else is a failed evaluation:
// another exit code than 0, a signal, a time-out, a last line that is no finite number. Of a failed one the first line
// of the error says how it ended and what the program last wrote to stderr; the lines after it are the rest of stderr.
//
// With keep_alive it is started once and stays up: for every point it gets a line {"trial":7,"point":{"crew":3}} on
// stdin and prints one line, a number or a JSON object as above, or {"error": "why not"}, best with "trial" repeated.
// One that ends, or does not answer in time, fails its trial and is started anew for the next. One that prints more
// than a line is out of step: it is started anew and asked again, and if that does not help, NoOutcome is thrown. Which
// answers are proven to belong to their points: docs/studies.md, "A program that stays up".

#include <string>
#include <vector>

#include "bocs/run/objective.hpp"

namespace bocs {

struct ProcessRequest;
struct ProcessResult;

struct CommandOptions {
  std::vector<std::string> arguments;    // the program first; not a shell line
  double timeout_seconds = 0;            // of one attempt; 0: none
  int retries = 0;                       // attempts after the first failed one
  std::string directory = {};            // where the program runs; empty: the current one
  std::function<bool()> cancelled = {};  // asked often; true: end the program and throw Cancelled
  bool keep_alive = false;               // one program for many points
  bool metrics_alone = false;            // an object without "value" will do: the task has goals
  /// Shown every run of the program, or every line of one that is kept alive: for people who look into a command.
  std::function<void(const ProcessRequest&, const ProcessResult&)> on_run = {};
};

/// Throws InvalidArgument: no program, a placeholder that names no variable, or stands in a command that is kept alive,
/// names that cannot be told apart in the environment. The objective throws MachineTrouble when the program cannot be
/// started, NoOutcome when one that is kept alive stays out of step. Programs that are kept alive end with the last
/// copy of the objective.
Objective command(CommandOptions options, const Space& space);

/// "BOCS_STATION_3" for station[3].
std::string environment_name(const std::string& variable);

/// The value and the metrics in the last line of what a program printed; a failure that says what is there instead.
Outcome parse_output(const std::string& output, bool metrics_alone = false);

/// At most the last `limit` bytes, as clean_utf8 (base/text.hpp) makes them.
std::string readable(const std::string& bytes, std::size_t limit);

}  // namespace bocs
