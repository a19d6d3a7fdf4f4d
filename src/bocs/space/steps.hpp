#pragma once
// How far one step of a local search goes in one coordinate.

#include <algorithm>

#include "bocs/space/space.hpp"
#include "bocs/variable/type.hpp"

namespace bocs {

inline constexpr int kFineBits = 12;

/// Calls visit(level) for the levels a local search tries for a coordinate: all others, or, when there are many, those
/// 1, 2, 4, ... away and the two ends. Of a number without a step the smallest step is a 4096th of the range.
template <class Visit>
void for_each_step(const Coordinate& c, std::int32_t current, Visit&& visit) {
  constexpr int kFew = 32;
  if (c.levels <= kFew || !c.ordered) {
    for (std::int32_t level = 0; level < c.levels; ++level) {
      if (level != current) visit(level);
    }
    return;
  }
  const std::int32_t first = c.optional ? 1 : 0, last = c.levels - 1;
  if (current > first) visit(first);
  const std::int32_t least = c.scale ? std::max(1, c.levels >> kFineBits) : 1;
  for (std::int64_t step = least; current - step > first; step *= 2) visit(static_cast<std::int32_t>(current - step));
  for (std::int64_t step = least; current + step < last; step *= 2) visit(static_cast<std::int32_t>(current + step));
  if (current < last) visit(last);
}

}  // namespace bocs
