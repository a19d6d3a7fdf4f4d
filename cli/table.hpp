#pragma once
// Tables of names and their options, for people and as JSON.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bocs/core/options.hpp"

namespace bocs::cli {

/// One line per option: name, default, allowed, help; indented, in columns.
void print_options(const std::vector<Option>& options);
nlohmann::ordered_json to_json(const std::vector<Option>& options);

}  // namespace bocs::cli
