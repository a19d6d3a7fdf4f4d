#include <fmt/core.h>

#include "command.hpp"
#include "table.hpp"

namespace bocs::cli {
namespace {

constexpr const char* kAboutProblems =
    R"(Lists the benchmark problems and their options.

A problem is written NAME or NAME:key=value,key=value, such as ising:rows=3,columns=3.)";

void print_problems() {
  for (const auto& problem : list_problems()) {
    fmt::print("{}: {}\n", problem.name, problem.help);
    print_options(problem.options);
    fmt::print("\n");
  }
}

void print_problems_as_json() {
  auto rows = nlohmann::ordered_json::array();
  for (const auto& problem : list_problems()) {
    rows.push_back({{"name", problem.name}, {"help", problem.help}, {"options", to_json(problem.options)}});
  }
  fmt::print("{}\n", rows.dump());
}

}  // namespace

void add_problems(CLI::App& app) {
  CLI::App* command = add_command(app, "problems", "the benchmark problems and their options", kAboutProblems);
  const auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "as one JSON array");
  command->callback([json] { *json ? print_problems_as_json() : print_problems(); });
}

}  // namespace bocs::cli
