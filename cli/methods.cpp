#include <fmt/core.h>

#include <algorithm>

#include "bocs/base/text.hpp"
#include "command.hpp"
#include "table.hpp"

namespace bocs::cli {
namespace {

constexpr const char* kAboutMethods =
    R"(Lists the methods; with a NAME, its members, options and shorthands.

  bocs methods
  bocs methods bocs

A method is written NAME or NAME:key=value,key=value. More settings may follow a shorthand: bocs-sa:order=2.)";

/// Those of the name, or of the method a shorthand stands for; all if it is empty.
std::vector<RegistryEntry> chosen(const std::string& name) {
  auto methods = list_methods();
  if (name.empty()) return methods;
  std::vector<std::string> known;
  for (const auto& method : methods) known.push_back(method.name);
  const std::string wanted = method_spec(name).name;  // a shorthand written out
  const auto found = std::find_if(methods.begin(), methods.end(), [&](const auto& m) { return m.name == wanted; });
  require(found != methods.end(),
          [&] { return "there is no method '" + name + "'; there are " + joined(known) + did_you_mean(name, known); });
  return {*found};
}

void print_method(const RegistryEntry& method) {
  fmt::print("{}: {}\n", method.name, method.help);
  for (const auto& shorthand : method.shorthands) fmt::print("  {}\n", shorthand);
  const auto members = list_members(method.name);
  if (!members.empty()) fmt::print("\nmembers, which share the trials after the initial design\n");
  for (const auto& member : members) print_wrapped("  " + member.name, member.help, 14);
  if (!method.options.empty()) fmt::print("\noptions\n");
  print_options(method.options);
}

void print_methods(const std::string& name) {
  const auto methods = chosen(name);
  if (!name.empty()) return print_method(methods.front());
  for (const auto& method : methods) {
    print_wrapped(method.name, method.help, 11);
    for (const auto& shorthand : method.shorthands) fmt::print("{:11}{}\n", "", shorthand);
  }
  fmt::print("\nbocs methods NAME: its options\n");
}

void print_methods_as_json(const std::string& name) {
  auto rows = nlohmann::ordered_json::array();
  for (const auto& method : chosen(name)) {
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
  CLI::App* command = add_command(app, "methods", "the methods and their options", kAboutMethods);
  struct MethodsArguments {
    std::string name;
    bool json = false;
  };
  const auto arguments = std::make_shared<MethodsArguments>();
  command->add_option("NAME", arguments->name, "one method, or a shorthand")->type_name("");
  command->add_flag("--json", arguments->json, "as one JSON array");
  command->callback(
      [arguments] { arguments->json ? print_methods_as_json(arguments->name) : print_methods(arguments->name); });
}

}  // namespace bocs::cli
