#include <fmt/core.h>

#include "arguments.hpp"
#include "command.hpp"
#include "study_arguments.hpp"
#include "study_output.hpp"

namespace bocs::cli {
namespace {

constexpr const char* kAbout =
    R"(Prints the next points to evaluate, one JSON object per line, for people and programs that evaluate themselves:

  bocs ask study.toml                              {"number": 7, "point": {"station[0]": 1, "depot": "river"}}
  bocs tell study.toml --trial 7 --value 12.5

With a study FILE the study is made if it is not there yet. A trial that was asked for stays running until it is told or
released. Exit code 0 with no line: the budget is used up, or every point has been tried.)";

struct Arguments {
  StudyArguments study;
  int count = 1;
};

void ask(const Arguments& arguments) {
  const auto open = [&]() -> Study {
    if (const auto file = arguments.study.load()) {
      Store store(file->store, {.create = true});
      return open_or_create(store, *file);
    }
    return arguments.study.open();
  };
  Study study = open();
  for (int i = 0; i < arguments.count; ++i) {
    Trial trial;
    try {
      trial = study.ask();
    } catch (const StoreError&) {
      throw;
    } catch (const InvalidArgument&) {
      throw;
    } catch (const Error& error) {  // nothing is left, or nothing for now
      fmt::print(stderr, "bocs: {}\n", error.what());
      return;
    }
    print_json({{"number", trial.number}, {"point", to_json(study.task().space, trial.x)}});
  }
}

}  // namespace

void add_ask(CLI::App& app) {
  CLI::App* command = app.add_subcommand("ask", "the next points to evaluate by hand")->description(kAbout);
  const auto arguments = std::make_shared<Arguments>();
  arguments->study.add_to(*command);
  command->add_option("--count", arguments->count, "how many")
      ->check(whole_number(1))
      ->type_name("N")
      ->capture_default_str();
  command->add_flag("--json")->description("the same as without it: one JSON object per line");
  command->callback([arguments] { ask(*arguments); });
}

}  // namespace bocs::cli
