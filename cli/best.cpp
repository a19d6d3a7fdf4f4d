#include <fmt/core.h>

#include "bocs/run/point_json.hpp"
#include "study_arguments.hpp"
#include "study_output.hpp"

namespace bocs::cli {
namespace {

constexpr const char* kAboutBest = R"(Prints the best trial of a study so far.

With --recommend also the answer of the method: under noise the point that is likely best, else the best trial.)";

struct BestArguments : StudyCommand {
  bool recommend = false;
};

void print_best(const BestArguments& arguments) {
  const Study study = arguments.study.open();
  const Space& space = study.task().space;
  const Trial* best = study.best();
  std::optional<Proposal> recommended;
  if (arguments.recommend && best != nullptr) recommended = study.recommend();
  if (arguments.json) {
    Json out = {{"best", best == nullptr ? Json(nullptr) : trial_json(study, *best)}};
    if (recommended) {
      out["recommended"] = {{"point", Json::parse(named_point_json(space, recommended->x))},
                            {"predicted", study.shown(recommended->info.predicted)}};
    }
    print_json(out);
    return;
  }
  if (best == nullptr) {
    fmt::print("no trial is complete yet\n");
    return;
  }
  const auto& variables = space.variables();
  std::vector<Line> rows;
  for (std::size_t i = 0; i < variables.size(); ++i)
    rows.push_back({variables[i].name, format_level(variables[i], best->x[i])});
  print_table({"variable", "value"}, rows);
  fmt::print("\n");
  print_value(study, *best);
  const Info& info = best->info;
  if (!std::isnan(gap(info))) {
    fmt::print("gap          {:.3g}: proposed for {:.6g}, the best value of the model is proved to be within {:.6g}\n",
               gap(info), study.shown(info.predicted), study.shown(info.lower_bound));
  }
  for (const auto& [name, metric] : best->metrics) fmt::print("{:<12} {:.10g}\n", harmless(name), metric);
  if (recommended) {
    fmt::print("recommended  {}  predicted {:.6g}\n", describe_point(space, recommended->x),
               study.shown(recommended->info.predicted));
  }
}

}  // namespace

void add_best(CLI::App& app) {
  const auto [command, arguments] = add_study_command<BestArguments>(app, "best", "the best trial so far", kAboutBest,
                                                                     "as one JSON object", print_best);
  command->add_flag("--recommend", arguments->recommend, "also the point the model would bet on");
}

}  // namespace bocs::cli
