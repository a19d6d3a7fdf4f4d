#include "table.hpp"

#include <fmt/core.h>

#include <sstream>

#include "terminal.hpp"

namespace bocs::cli {
namespace {

constexpr std::size_t kWidth = 100;  // columns of a line

}  // namespace

void print_wrapped(const std::string& head, const std::string& text, std::size_t indent) {
  std::string line = head;
  std::istringstream words(text);
  bool fresh = true;  // nothing of the text is in the line yet
  for (std::string word; words >> word; fresh = false) {
    if (!fresh && line.size() + 1 + word.size() > kWidth) {
      fmt::print("{}\n", line);
      line.clear();
      fresh = true;
    }
    if (fresh) line.append(line.size() < indent ? indent - line.size() : 1, ' ');
    line += (fresh ? "" : " ") + word;
  }
  fmt::print("{}\n", line);
}

void print_options(const std::vector<Option>& options) {
  for (const auto& option : options) {
    print_wrapped(fmt::format("  {} = {}", option.name, option.value), option.help + " (" + option.allowed + ")", 32);
  }
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
