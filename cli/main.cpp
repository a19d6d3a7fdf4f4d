#include <fmt/core.h>

#include <csignal>
#include <new>
#include <system_error>

#include "arguments.hpp"
#include "bocs/base/error.hpp"
#include "bocs/base/text.hpp"
#include "bocs/store/connection.hpp"
#include "bocs/version.hpp"
#include "command.hpp"
#include "help.hpp"
#include "terminal.hpp"

namespace {

constexpr const char* kAboutMain =
    R"(Finds a good choice of subsets, numbers and categories when a try is expensive.

  bocs init study.toml    an example of a study: your variables, your program
  bocs run study.toml     run it; after any interruption, resume it
  bocs best study.toml    the answer so far)";

/// A URL may stand in any message, where a person has put it in the wrong place.
int fail(int exit_code, const std::string& message) {
  bocs::cli::warn("bocs: " + bocs::without_passwords(message));
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace bocs::cli;
  std::signal(SIGXFSZ, SIG_IGN);  // a limit on file sizes is a full disk: the write fails, and is waited for
  occupy_standard_streams();
  CLI::App app{kAboutMain, "bocs"};
  app.set_version_flag("--version", fmt::format("bocs {} ({})", bocs::version(), bocs::commit()));
  app.require_subcommand(1);
  int exit_code = kOk;
  const auto with_code = [&exit_code](void (*add)(CLI::App&, int&)) {
    return [add, &exit_code](CLI::App& to) { add(to, exit_code); };
  };
  add_group(app, "Studies",
            {add_init, with_code(add_check), with_code(add_try), with_code(add_run), with_code(add_compare)});
  add_group(app, "What came of them",
            {add_best, add_front, with_code(add_trials), add_explain, add_simplify, add_report, add_dashboard,
             add_export, add_import});
  add_group(app, "One trial at a time", {with_code(add_ask), add_tell, add_enqueue, add_retry, add_strike});
  add_group(app, "Many machines", {add_create, with_code(add_worker), add_studies});
  add_group(app, "Methods and benchmark problems",
            {with_code(add_solve), add_methods, add_problems, with_code(add_experiment)});
  add_group(app, "",
            {add_pause, add_delete, add_backup, add_upgrade, add_evaluate, add_instance, add_completion, add_man});
  try {
    if (argc == 1) {
      fmt::print("{}", overview(app));
      flush_output();
      return kOk;
    }
    try {
      for (int i = 1; i < argc; ++i) {  // CLI11 follows brackets by recursion
        bocs::require(!bocs::is_nested_deeply(argv[i]), "an argument is nested too deeply");
      }
      app.parse(argc, argv);
    } catch (const CLI::CallForHelp& e) {
      if (app.get_subcommands().empty()) {
        if (const auto unknown = app.remaining(); !unknown.empty()) throw CLI::ExtrasError(app.get_name(), unknown);
        fmt::print("{}", overview(app));
      } else {
        exit_code = app.exit(e);
      }
    } catch (const CLI::Success& e) {  // --version
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
  } catch (const std::bad_alloc&) {
    return fail(kUnavailable, "there is too little memory (ulimit -v)");
  } catch (const std::exception& e) {
    if (std::ferror(stdout) != 0) return fail(kNotWritten, std::string("the output could not be written: ") + e.what());
    const auto* error = dynamic_cast<const std::system_error*>(&e);
    if (error != nullptr && error->code() == std::errc::resource_unavailable_try_again) {  // of a thread
      return fail(kUnavailable, "there is too little memory, or there are too many threads (ulimit -v, -u)");
    }
    return fail(kOurBug, std::string("internal error: ") + e.what());
  }
}
