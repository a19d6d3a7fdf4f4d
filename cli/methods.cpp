#include <fmt/core.h>

#include "command.hpp"
#include "table.hpp"

namespace bocs::cli {
namespace {

constexpr const char* kAboutMethods =
    R"(Lists the methods, their members, options and shorthands.

A method is written NAME or NAME:key=value,key=value. More settings may follow a shorthand: bocs-sa:order=2.)";

void print_methods() {
  for (const auto& method : list_methods()) {
    fmt::print("{}: {}\n", method.name, method.help);
    for (const auto& shorthand : method.shorthands) fmt::print("  {}\n", shorthand);
    const auto members = list_members(method.name);
    if (!members.empty()) fmt::print("  members, which share the trials after the initial design:\n");
    for (const auto& member : members) fmt::print("    {:8}  {}\n", member.name, member.help);
    print_options(method.options);
    fmt::print("\n");
  }
}

void print_methods_as_json() {
  auto rows = nlohmann::ordered_json::array();
  for (const auto& method : list_methods()) {
    auto members = nlohmann::ordered_json::array();
    for (const auto& member : list_members(method.name))
      members.push_back({{"name", member.name}, {"help", member.help}});
    rows.push_back({{"name", method.name},
                    {"help", method.help},
                    {"members", members},
                    {"shorthands", method.shorthands},
                    {"options", to_json(method.options)}});
  }
  fmt::print("{}\n", rows.dump());
}

}  // namespace

void add_methods(CLI::App& app) {
  CLI::App* command = app.add_subcommand("methods", "the methods and their options")->description(kAboutMethods);
  const auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "as one JSON array");
  command->callback([json] { *json ? print_methods_as_json() : print_methods(); });
}

}  // namespace bocs::cli
