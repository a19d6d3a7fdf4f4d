#include <fmt/core.h>

#include "arguments.hpp"

namespace bocs::cli {
namespace {

constexpr const char* kAboutInstance =
    R"(Prints a random instance of a problem as JSON, to the last bit: what the option instance=FILE reads.

  bocs instance --problem ising:rows=5,columns=5 --instance 3 > three.json
  bocs solve ising:instance=three.json)";

/// "bqp, ising": the problems that read instances.
std::string readers() {
  std::string names;
  for (const auto& problem : list_problems()) {
    for (const auto& option : problem.options) {
      if (option.name == "instance") names += (names.empty() ? "" : ", ") + problem.name;
    }
  }
  return names;
}

void print_instance(const InstanceArguments& arguments) {
  const Problem problem = make_problem(arguments.problem, arguments.instance);
  require(static_cast<bool>(problem.instance_json),
          [&] { return problem.name + " does not read instances from a file; these do: " + readers(); });
  fmt::print("{}\n", problem.instance_json());
}

}  // namespace

void add_instance(CLI::App& app) {
  auto arguments = std::make_shared<InstanceArguments>();
  CLI::App* command = add_command(app, "instance", "a random instance of a problem, as JSON", kAboutInstance);
  arguments->add_to(*command);
  command->callback([arguments] { print_instance(*arguments); });
}

}  // namespace bocs::cli
