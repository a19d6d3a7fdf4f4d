#pragma once
// The commands: each parses its arguments, calls the public API, prints, and leaves an exit code.

#include <CLI/CLI.hpp>
#include <string>

#include "bocs/problem/problem.hpp"
#include "bocs/studies.hpp"

namespace bocs::cli {

// After sysexits.h, and the shell's 128 + SIGINT.
enum ExitCode {
  kOk = 0,
  kNothingLeft = 1,  // bocs ask: the budget is used up, or every point has been tried
  kUsage = 64,
  kBadData = 65,
  kUnavailable = 69,
  kOurBug = 70,
  kNotWritten = 74,
  kLater = 75,    // EX_TEMPFAIL; bocs ask: nothing for now
  kFailing = 78,  // EX_CONFIG: the objective does nothing but fail
  kInterrupted = 130
};

/// What was given is data, not an option: a point, a file.
class BadData : public Error {
 public:
  using Error::Error;
};
/// Calls f, whose InvalidArgument is about data.
template <class Function>
auto as_data(const Function& f) {
  try {
    return f();
  } catch (const InvalidArgument& error) {
    throw BadData(error.what());
  }
}

/// Adds a command. summary: one line for `bocs --help`; about: what `bocs NAME --help` says below it.
inline CLI::App* add_command(CLI::App& app, const char* name, const std::string& summary, const std::string& about) {
  return app.add_subcommand(name, summary + "\n\n" + about);
}
/// The first line of what was given as summary.
inline std::string summary_of(const CLI::App& command) {
  const std::string text = command.get_description();
  return text.substr(0, text.find('\n'));
}

// Studies.
void add_init(CLI::App& app);
void add_check(CLI::App& app, int& exit_code);
void add_run(CLI::App& app, int& exit_code);
void add_create(CLI::App& app);
void add_try(CLI::App& app, int& exit_code);
void add_retry(CLI::App& app);
void add_strike(CLI::App& app);
void add_enqueue(CLI::App& app);
void add_compare(CLI::App& app, int& exit_code);
void add_ask(CLI::App& app, int& exit_code);
void add_tell(CLI::App& app);
void add_worker(CLI::App& app, int& exit_code);
void add_best(CLI::App& app);
void add_front(CLI::App& app);
void add_trials(CLI::App& app, int& exit_code);
void add_explain(CLI::App& app);
void add_simplify(CLI::App& app);
void add_report(CLI::App& app);
void add_dashboard(CLI::App& app);
void add_pause(CLI::App& app);  // and resume
void add_export(CLI::App& app);
void add_import(CLI::App& app);
void add_studies(CLI::App& app);
void add_delete(CLI::App& app);
void add_backup(CLI::App& app);
void add_upgrade(CLI::App& app);
// Benchmark problems.
void add_solve(CLI::App& app, int& exit_code);
void add_evaluate(CLI::App& app);
void add_experiment(CLI::App& app, int& exit_code);
void add_instance(CLI::App& app);
void add_methods(CLI::App& app);
void add_problems(CLI::App& app);
// About the program itself: made from the commands above.
void add_completion(CLI::App& app);
void add_man(CLI::App& app);

}  // namespace bocs::cli
