#pragma once
// A point as programs read and write it: {"crew": 3, "depot": "river"}, the values by their names.

#include <string>

#include "bocs/space/space.hpp"

namespace bocs {

/// In one line, in the order of the variables. Levels have their types: 64, null, "64"; those of a study of 0.2 are
/// texts.
std::string named_point_json(const Space& space, const Point& x);

/// The value of one variable of a point; null if it is absent.
std::string value_json(const Space& space, const Point& x, int variable);
/// Writes such a value into a point. Throws InvalidArgument.
void set_from_json(const Space& space, Point& x, int variable, const std::string& text);

/// The inverse of named_point_json; the names may come in any order, a binary value may also be true or false, a level
/// its text. Throws InvalidArgument that names what is missing, unknown or not allowed.
Point point_from_named_json(const Space& space, const std::string& text);

}  // namespace bocs
