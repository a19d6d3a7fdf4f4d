#include "bocs/study/column_names.hpp"

namespace bocs {
namespace {

std::vector<std::string> variable_names(const Space& space) {
  std::vector<std::string> names;
  for (const Column& column : columns_of(space)) names.push_back(column.name);
  return names;
}

}  // namespace

std::vector<Column> columns_of(const Space& space) {
  std::vector<Column> columns;
  for (int v = 0; v < static_cast<int>(space.variables().size()); ++v) {
    const Variable& variable = space.variables()[static_cast<std::size_t>(v)];
    if (is_order(variable)) {
      columns.push_back({variable.name, v, -1});
      continue;
    }
    for (int i = space.first(v); i < space.first(v + 1); ++i) columns.push_back({space[i].name, v, i});
  }
  return columns;
}

std::string ColumnNames::add(std::string name) {
  while (!taken_.insert(name).second) name = "bocs:" + name;
  return name;
}

std::vector<std::string> carried_names(const Candidates* candidates) {
  std::vector<std::string> names;
  if (candidates == nullptr) return names;
  for (const auto& column : candidates->carried()) names.push_back(column.name);
  return names;
}

std::vector<std::string> column_names(const Space& space, const std::set<std::string>& metrics,
                                      const std::vector<std::string>& carried) {
  const auto variables = variable_names(space);
  ColumnNames names(variables);
  std::vector<std::string> columns{names.add("number"), names.add("state")};
  columns.insert(columns.end(), variables.begin(), variables.end());
  for (const auto& name : carried) columns.push_back(names.add(name));
  for (const char* name : {"value", "total", "seconds", "error"}) columns.push_back(names.add(name));
  for (const auto& name : metrics) columns.push_back(names.add(name));
  return columns;
}

std::string value_column(const Space& space) { return ColumnNames(variable_names(space)).add("value"); }

}  // namespace bocs
