#pragma once
// All that the rules ask of a variable.

#include "bocs/rule/fraction.hpp"
#include "bocs/space/space.hpp"

namespace bocs {

inline bool is_binary(const Variable& v) { return v.kind == Kind::binary; }
/// False where the levels have no size: labels.
inline bool has_size(const Variable& v) { return v.kind != Kind::categorical; }
inline int count_levels(const Variable& v) { return v.levels; }
/// Consecutive whole numbers, from value(0) on.
inline bool is_range(const Variable& v) { return has_size(v) && v.values.empty(); }
inline bool is_whole_valued(const Variable& v) { return has_size(v) && v.kind != Kind::real; }
inline double value_of(const Variable& v, int level) { return v.value(level); }
inline Fraction exact_value(const Variable& v, int level) {
  return is_range(v) ? Fraction(static_cast<Whole>(v.value(level))) : Fraction::of(v.value(level));
}
inline std::string text_of_level(const Variable& v, int level) { return format_level(v, level); }
/// Throws InvalidArgument that names the variable and what it takes.
inline int level_of_text(const Variable& v, const std::string& text) { return parse_level(v, text); }

}  // namespace bocs
