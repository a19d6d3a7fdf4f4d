#include <fmt/core.h>

#include "command.hpp"
#include "table.hpp"

namespace bocs::cli {
namespace {

constexpr const char* kAbout =
    R"(Lists the methods, their options and shorthands.

A method is written NAME or NAME:key=value,key=value. More settings may follow a shorthand: bocs-sa:order=2.)";

void print_methods() {
  for (const auto& method : list_methods()) {
    fmt::print("{}: {}\n", method.name, method.help);
    for (const auto& shorthand : method.shorthands) fmt::print("  {}\n", shorthand);
    print_options(method.options);
    fmt::print("\n");
  }
}

void print_methods_as_json() {
  auto rows = nlohmann::ordered_json::array();
  for (const auto& method : list_methods()) {
    rows.push_back({{"name", method.name},
                    {"help", method.help},
                    {"shorthands", method.shorthands},
                    {"options", to_json(method.options)}});
  }
  fmt::print("{}\n", rows.dump());
}

}  // namespace

void add_methods(CLI::App& app) {
  CLI::App* command = app.add_subcommand("methods", "the methods and their options")->description(kAbout);
  const auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "as one JSON array");
  command->callback([json] { *json ? print_methods_as_json() : print_methods(); });
}

}  // namespace bocs::cli
