#include <fmt/core.h>

#include "arguments.hpp"
#include "bocs/experiment/measure.hpp"

namespace bocs::cli {
namespace {

constexpr const char* kAbout =
    R"(Prints the value of points of a problem, penalty included, one line each.

  bocs evaluate --problem ising --lambda 0.01 --x 111100001111000011110000 --x 000000000000000000000000

A point is written 0110... when all variables are binary, as values with commas (3,red,0) otherwise.)";

struct Arguments {
  ProblemArguments problem;
  std::vector<std::string> points;
};

void evaluate_points(const Arguments& arguments) {
  const Problem problem = make_problem(arguments.problem.problem, arguments.problem.instance);
  const Task task = arguments.problem.task(problem, 0);
  std::vector<Point> points;
  for (const auto& text : arguments.points) {
    try {
      points.push_back(problem.space.parse(text));
      problem.constraints.check(points.back());
    } catch (const InvalidArgument& e) {
      throw BadData(std::string("--x: ") + e.what());
    }
  }
  for (const auto& x : points) fmt::print("{}\n", penalized(problem, task, x));
}

}  // namespace

void add_evaluate(CLI::App& app) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("evaluate", "the value of given points")->description(kAbout);
  arguments->problem.add_to(*command);
  command->add_option("--x", arguments->points, "a point; may be given several times")->required()->type_name("POINT");
  command->callback([arguments] { evaluate_points(*arguments); });
}

}  // namespace bocs::cli
