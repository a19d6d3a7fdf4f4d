#include <fmt/core.h>

#include "bocs/study/point_json.hpp"
#include "study_arguments.hpp"
#include "study_output.hpp"

namespace bocs::cli {
namespace {

constexpr const char* kAboutEnqueue =
    R"(Lets a point be evaluated before the method proposes others, such as the settings of today:

  bocs enqueue study.toml --point '{"station[0]": 1, ..., "depot": "river"}'

--point may be given several times. The points count towards the budget. With a study FILE the study is made if it is not
there yet.)";

struct EnqueueArguments : StudyCommand {
  std::vector<std::string> points;
};

void enqueue(const EnqueueArguments& arguments) {
  Study study = arguments.study.open_or_create();
  std::vector<Point> points;
  for (const auto& text : arguments.points) {  // all of them are read before the first is enqueued
    points.push_back(as_data([&] {
      Point x = point_from_named_json(study.task().space, text);
      study.task().constraints.check(x);
      return x;
    }));
  }
  for (const auto& x : points) {
    const int number = as_data([&] { return study.enqueue(x); });
    if (arguments.json) {
      print_json(trial_json(study, *study.history().find(number)));
    } else {
      fmt::print("trial {} waits  {}\n", number, describe_point(study.task().space, x));
    }
  }
}

}  // namespace

void add_enqueue(CLI::App& app) {
  const auto [command, arguments] = add_study_command<EnqueueArguments>(
      app, "enqueue", "evaluate this point first", kAboutEnqueue, "one JSON object per point", enqueue);
  command->add_option("--point", arguments->points, "a JSON object with a value for every variable")
      ->required()
      ->type_name("JSON");
}

}  // namespace bocs::cli
