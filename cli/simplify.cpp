#include <fmt/core.h>

#include "arguments.hpp"
#include "bocs/numeric/parallel.hpp"
#include "bocs/study/point_json.hpp"
#include "bocs/study/run_study.hpp"
#include "study_arguments.hpp"
#include "study_output.hpp"

namespace bocs::cli {
namespace {

constexpr const char* kAboutSimplify =
    R"(Which of the changes from the present setting ([default] in the study file) does the answer need?

  bocs simplify study.toml --loss 1%
  bocs simplify study.toml --loss 0.5 --confirm 10

Undoes changes one by one, the cheapest first, while the value loses no more than --loss in all, and prints what each kept
change would cost to undo, with a 95 % interval. Costs come from the model of bocs explain, or from measurements where
there are some. --confirm N evaluates up to N points with the study's program, those that decide what is in doubt: the
simplified point, then that point without each kept change, the least sure first. They are stored, on top of the budget.)";

struct SimplifyArguments : StudyCommand {
  std::string loss = "0";
  int confirm = 0;
};

Simplification simplified(const Study& study, const std::string& loss) {
  const Trial* best = study.best();
  require(best != nullptr, "no trial is complete yet");
  return simplify(study.method(), study.task(), study.history(), parse_loss(loss, best->y), hardware_threads());
}

/// Measures what decides most, up to so many times.
void confirm(Study& study, const SimplifyArguments& arguments) {
  const std::string folder =
      arguments.study.file.ends_with(".toml") ? load_file(arguments.study.file).folder.string() : ".";
  const Objective objective = as_data([&] { return command_of(study.spec(), folder, interrupted); });
  for (int k = 0; k < arguments.confirm; ++k) {
    const Point next = simplified(study, arguments.loss).next;
    if (next.empty()) return;
    Trial trial;
    trial.x = next;
    const Outcome outcome = evaluate(objective, study.task().space, trial);
    study.tell(next, judged(study.task(), study.sense(), outcome));
    if (!arguments.json) {
      warn(fmt::format("bocs: confirming {} of {}: {}", k + 1, arguments.confirm,
                       describe_outcome(study, *study.history().find(study.history().size() - 1))));
    }
  }
}

Json change_json(const ChangeFromPresent& change) {
  return {{"name", change.name}, {"from", change.from},     {"to", change.to},
          {"kept", change.kept}, {"cost", change.cost},     {"low", change.low},
          {"high", change.high}, {"chance", change.chance}, {"measured", change.measured}};
}

void print_as_json(const Study& study, const Simplification& simple) {
  Json out = {{"point", Json::parse(named_point_json(study.task().space, simple.x))},
              {"answer", Json::parse(named_point_json(study.task().space, simple.answer))},
              {"loss", simple.loss},
              {"low", simple.low},
              {"high", simple.high},
              {"measured", simple.measured},
              {"kept", simple.kept()},
              {"changes", Json::array()}};
  for (const auto& change : simple.changes) out["changes"].push_back(change_json(change));
  print_json(out);
}

void simplify_and_show(const SimplifyArguments& arguments) {
  Study study = arguments.study.open();
  if (arguments.confirm > 0) {
    listen_for_interrupt();
    confirm(study, arguments);
  }
  const Simplification simple = simplified(study, arguments.loss);
  if (arguments.json) return print_as_json(study, simple);
  std::vector<Line> rows;
  for (const auto& change : simple.changes) {
    const std::string range = change.measured ? "measured" : fmt::format("{:.3g} to {:.3g}", change.low, change.high);
    rows.push_back({harmless(change.name), harmless(change.from), harmless(change.to), change.kept ? "keep" : "undo",
                    fmt::format("{:.3g}", change.cost), range});
  }
  print_table({"change", "from", "to", "", "cost of undoing", "95 %"}, rows);
  fmt::print("\nkeep         {} of {}\n", simple.kept(), counted(simple.changes.size(), "change"));
  fmt::print("loss         {:.3g}{}\n", simple.loss,
             simple.measured
                 ? ", measured"
                 : fmt::format(" expected (95 %: {:.3g} to {:.3g}); --confirm measures it", simple.low, simple.high));
  fmt::print("point        {}\n", named_point_json(study.task().space, simple.x));
}

}  // namespace

void add_simplify(CLI::App& app) {
  const auto [command, arguments] =
      add_study_command<SimplifyArguments>(app, "simplify", "which changes from the present setting are needed",
                                           kAboutSimplify, "as one JSON object", simplify_and_show);
  command->add_option("--loss", arguments->loss, "what the value may lose in all: 0.5, or 1% of the best value")
      ->type_name("X")
      ->capture_default_str();
  command->add_option("--confirm", arguments->confirm, "evaluate up to so many points that decide what is in doubt")
      ->type_name("N")
      ->check(whole_number(0));
}

}  // namespace bocs::cli
