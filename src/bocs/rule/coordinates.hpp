#pragma once
// All that the rules ask of a coordinate. What is absent counts 0 in sums and has none of the levels that people name.

#include "bocs/rule/fraction.hpp"
#include "bocs/space/space.hpp"

namespace bocs {

inline bool is_binary(const Coordinate& c) { return c.flag; }
/// False where the levels have no size: labels.
inline bool has_size(const Coordinate& c) { return c.has_value(); }
inline int count_levels(const Coordinate& c) { return c.levels; }
/// Values at equal distances, never absent: value(0), value(0) + step_of, ...
inline bool is_range(const Coordinate& c) {
  return c.has_value() && c.values.empty() && !c.optional && !(c.scale && c.scale->log());
}
inline double step_of(const Coordinate& c) { return c.scale ? c.scale->step() : 1; }
/// So many levels that nobody looks at each of them.
inline bool is_fine(const Coordinate& c) { return c.scale.has_value(); }
inline bool is_whole_valued(const Coordinate& c) { return c.has_value() && c.whole; }
inline double value_of(const Coordinate& c, int level) { return c.value(level); }
inline Fraction exact_value(const Coordinate& c, int level) {
  return is_range(c) && c.whole ? Fraction(static_cast<Whole>(c.value(level))) : Fraction::of(c.value(level));
}
inline std::string text_of_level(const Coordinate& c, int level) { return format_level(c, level); }
/// Throws InvalidArgument that names the variable and what it takes.
inline int level_of_text(const Coordinate& c, const std::string& text) { return parse_level(c, text); }

}  // namespace bocs
