#pragma once
// What `bocs run FILE` and `bocs worker` do: work on a study, show it, and say what came of it.

#include <optional>

#include "arguments.hpp"
#include "bocs/store/patience.hpp"
#include "bocs/study/run_study.hpp"

namespace bocs::cli {

/// What both take.
struct RunArguments : LimitArguments {
  double patience_seconds = 600;
  bool json = false;  // a line for every trial
  bool verbose = false;
  std::string again;  // the command that goes on: "bocs run study.toml"

  /// --seconds, --target, --patience, -q, -v
  void add_to(CLI::App& command);
};

/// Works on the study until its budget is reached, the time is up or the user interrupts, and prints what happens and
/// what came of it. directory: where the command runs. Returns the exit code.
int run_and_show(Study& study, const RunArguments& arguments, const std::string& directory, int workers);

/// How to wait for the store, telling people so.
Patience patience_of(const RunArguments& arguments);

}  // namespace bocs::cli
