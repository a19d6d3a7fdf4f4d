#include <fmt/core.h>

#include "arguments.hpp"
#include "bocs/experiment/marginals.hpp"
#include "bocs/experiment/measure.hpp"
#include "figures.hpp"

namespace bocs::cli {
namespace {

constexpr const char* kAboutEvaluate =
    R"(Prints the value of points of a problem, penalty included, one line each.

  bocs evaluate --problem ising --lambda 0.01 --x 111100001111000011110000 --x 000000000000000000000000

  bocs evaluate --problem aerostruct --x 110000000000001000011 --marginals wing

draws wing.svg: how the outputs of the full model and of the one simplified to the point are distributed.
A point is written 0110... when all variables are binary, as values with commas (3,red,0) otherwise.)";

struct EvaluateArguments {
  ProblemArguments problem;
  std::vector<std::string> points;
  std::string marginals;
};

void draw_marginals(const Problem& problem, const std::vector<Point>& points, const std::string& path) {
  if (!problem.outputs) throw BadData("--marginals: " + problem.name + " has no output distributions to draw");
  if (points.size() != 1) throw BadData("--marginals draws one point, not " + std::to_string(points.size()));
  const std::filesystem::path where(path);
  const std::filesystem::path folder = where.has_parent_path() ? where.parent_path() : ".";
  write_figures(folder, {marginals_figure(where.filename().string(), problem.outputs(points.front()))});
}

void evaluate_points(const EvaluateArguments& arguments) {
  const Problem problem = make_problem(arguments.problem.problem, arguments.problem.instance);
  const Task task = arguments.problem.task(problem, 0);
  std::vector<Point> points;
  for (const auto& text : arguments.points) {
    try {
      points.push_back(problem.space.parse(text));
      task.constraints.check(points.back());
    } catch (const InvalidArgument& e) {
      throw BadData(std::string("--x: ") + e.what());
    }
  }
  for (const auto& x : points) fmt::print("{}\n", penalized(problem, task, x));
  if (!arguments.marginals.empty()) draw_marginals(problem, points, arguments.marginals);
}

}  // namespace

void add_evaluate(CLI::App& app) {
  auto arguments = std::make_shared<EvaluateArguments>();
  CLI::App* command = add_command(app, "evaluate", "the value of given points", kAboutEvaluate);
  arguments->problem.add_to(*command);
  command->add_option("--x", arguments->points, "a point; may be given several times")->required()->type_name("POINT");
  command
      ->add_option("--marginals", arguments->marginals,
                   "draw the output distributions of reference and point into NAME.svg")
      ->type_name("NAME");
  command->callback([arguments] { evaluate_points(*arguments); });
}

}  // namespace bocs::cli
