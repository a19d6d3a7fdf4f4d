#include "table.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace bocs::cli {

void print_options(const std::vector<Option>& options) {
  std::size_t name = 6, value = 7, allowed = 7;  // widths of the heads
  for (const auto& option : options) {
    name = std::max(name, option.name.size());
    value = std::max(value, option.value.size());
    allowed = std::max(allowed, option.allowed.size());
  }
  const auto line = [&](const std::string& a, const std::string& b, const std::string& c, const std::string& d) {
    fmt::print("  {:<{}}  {:<{}}  {:<{}}  {}\n", a, name, b, value, c, allowed, d);
  };
  if (!options.empty()) line("option", "default", "allowed", "meaning");
  for (const auto& option : options) line(option.name, option.value, option.allowed, option.help);
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
