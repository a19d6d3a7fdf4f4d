#pragma once
// Points and trials as people and programs read them: values by name, in the user's sense.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bocs/store/study.hpp"

namespace bocs::cli {

using Json = nlohmann::ordered_json;

/// {"station[0]": 1, "depot": "river", ...} in the order of the variables, and back. Throws BadData that names what is
/// missing, unknown or not allowed.
Json to_json(const Space& space, const Point& x);
Point point_from_json(const Space& space, const Json& object);

/// number, state, point, value (as measured), total (with the penalty), metrics, seconds, error; null where unknown.
Json to_json(const Study& study, const Trial& trial);
void print_json(const Json& value);  // one line

/// "depot=river crew=3 station=0110...": arrays in one piece.
std::string describe_point(const Space& space, const Point& x);

/// What was measured at a complete trial, and what is optimized: the same where nothing has a price.
bool is_penalized(const Study& study);
void print_value(const Study& study, const Trial& trial);

/// A number of a trial, or "-" if it has none.
std::string shown_number(double value);

/// Columns as wide as their longest cell; those that hold nothing but numbers are aligned to the right.
void print_table(const std::vector<std::string>& header, const std::vector<std::vector<std::string>>& rows);

/// The text without control characters: what came from a program or a database must not steer the terminal.
std::string harmless(std::string text);

}  // namespace bocs::cli
