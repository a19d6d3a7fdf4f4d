#include "table.hpp"

#include "terminal.hpp"

namespace bocs::cli {

void print_options(const std::vector<Option>& options) {
  if (options.empty()) return;
  std::vector<Line> rows;
  for (const auto& option : options) rows.push_back({option.name, option.value, option.allowed, option.help});
  print_table({"option", "default", "allowed", "meaning"}, rows, "  ");
}

nlohmann::ordered_json to_json(const std::vector<Option>& options) {
  auto rows = nlohmann::ordered_json::array();
  for (const auto& option : options) {
    rows.push_back(
        {{"name", option.name}, {"default", option.value}, {"allowed", option.allowed}, {"help", option.help}});
  }
  return rows;
}

}  // namespace bocs::cli
