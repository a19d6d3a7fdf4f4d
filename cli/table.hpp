#pragma once
// Tables of names and their options, for people and as JSON.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bocs/base/options.hpp"

namespace bocs::cli {

/// "head   text", the text wrapped at 100 columns and indented.
void print_wrapped(const std::string& head, const std::string& text, std::size_t indent);
/// Each option with its default, its meaning and what is allowed.
void print_options(const std::vector<Option>& options);
nlohmann::ordered_json to_json(const std::vector<Option>& options);

}  // namespace bocs::cli
