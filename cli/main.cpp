#include <fmt/core.h>

#include "arguments.hpp"
#include "bocs/store/connection.hpp"
#include "bocs/version.hpp"
#include "command.hpp"
#include "terminal.hpp"

namespace {

constexpr const char* kAboutMain =
    R"(Bayesian optimization of combinatorial structures: finds a good x in a discrete space
when every evaluation of f(x) is expensive.

  bocs init study.toml                            an example of a study file: your variables, your command
  bocs check study.toml                           validate and explain it
  bocs run study.toml                             run it; after any interruption, resume it
  bocs best study.toml, bocs explain study.toml   what was found, what was learnt

  bocs run --problem ising --trials 170           optimize a benchmark problem, see the structure found
  bocs run --problem bqp:d=20 --method bocs-sdp   name:key=value,... sets the options of problems and methods
  bocs evaluate --problem bqp --x 0110100101      the value of one point
  bocs experiment run GRID.toml                   compare methods on many instances
  bocs methods                                    what --method takes
  bocs problems                                   what --problem takes

Exit codes: 0 done, 64 wrong usage, 65 bad data, 69 something needed is not there, 70 a bug of ours,
74 the output could not be written, 130 interrupted.)";

/// A URL may stand in any message, where a person has put it in the wrong place.
int fail(int exit_code, const std::string& message) {
  fmt::print(stderr, "bocs: {}\n", bocs::cli::harmless(bocs::without_passwords(message)));
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace bocs::cli;
  CLI::App app{kAboutMain, "bocs"};
  app.set_version_flag("--version", fmt::format("bocs {} ({})", bocs::version(), bocs::commit()));
  app.require_subcommand(1);
  int exit_code = kOk;
  add_init(app);
  add_check(app);
  add_run(app, exit_code);
  add_create(app);
  add_ask(app);
  add_tell(app);
  add_worker(app, exit_code);
  add_best(app);
  add_trials(app, exit_code);
  add_explain(app);
  add_report(app);
  add_dashboard(app);
  add_export(app);
  add_import(app);
  add_studies(app);
  add_delete(app);
  add_evaluate(app);
  add_instance(app);
  add_experiment(app, exit_code);
  add_methods(app);
  add_problems(app);
  try {
    try {
      app.parse(argc, argv);
    } catch (const CLI::Success& e) {  // --help, --version
      exit_code = app.exit(e);
    }
    flush_output();
    return exit_code;
  } catch (const CLI::ParseError& e) {
    return fail(kUsage, explain(app, e));
  } catch (const BadData& e) {
    return fail(kBadData, e.what());
  } catch (const OutputError& e) {
    return fail(kNotWritten, e.what());
  } catch (const bocs::InvalidArgument& e) {
    return fail(kUsage, e.what());
  } catch (const bocs::Error& e) {
    return fail(kUnavailable, e.what());
  } catch (const std::exception& e) {
    if (std::ferror(stdout) != 0) return fail(kNotWritten, std::string("the output could not be written: ") + e.what());
    return fail(kOurBug, std::string("internal error: ") + e.what());
  }
}
