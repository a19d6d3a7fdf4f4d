#include "bocs/study/column_names.hpp"

namespace bocs {
namespace {

std::vector<std::string> variable_names(const Space& space) {
  std::vector<std::string> names;
  for (const auto& v : space.variables()) names.push_back(v.name);
  return names;
}

}  // namespace

std::string ColumnNames::add(std::string name) {
  while (!taken_.insert(name).second) name = "bocs:" + name;
  return name;
}

std::vector<std::string> column_names(const Space& space, const std::set<std::string>& metrics) {
  const auto variables = variable_names(space);
  ColumnNames names(variables);
  std::vector<std::string> columns{names.add("number"), names.add("state")};
  columns.insert(columns.end(), variables.begin(), variables.end());
  for (const char* name : {"value", "total", "seconds", "error"}) columns.push_back(names.add(name));
  for (const auto& name : metrics) columns.push_back(names.add(name));
  return columns;
}

std::string value_column(const Space& space) { return ColumnNames(variable_names(space)).add("value"); }

}  // namespace bocs
