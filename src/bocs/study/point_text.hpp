#pragma once
// A point as people read it: what is switched on, by name.

#include <string>
#include <vector>

#include "bocs/rule/names.hpp"

namespace bocs {

/// One variable or one array of a point.
struct PointPart {
  std::string name;   // "station", "depot"
  std::string value;  // "2 4 8 16": the elements of a binary array that are 1; else the values, in order
  bool off = false;   // a binary variable of its own that is 0
};
std::vector<PointPart> point_parts(const Space& space, const Point& x);

/// "station: 2 4 8 16, depot: river, crew: 3" in one line; variables that are off are left out.
std::string point_text(const Space& space, const Point& x);

}  // namespace bocs
