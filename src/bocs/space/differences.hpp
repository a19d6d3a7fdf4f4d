#pragma once
// Where two points differ. Points of a search mostly differ in few of many coordinates: blocks that are equal are
// passed over.

#include "bocs/space/space.hpp"

namespace bocs {

/// Calls visit(i) for every coordinate i in which the points differ, ascending.
template <class Visit>
void for_each_difference(const Point& x, const Point& y, Visit&& visit) {
  constexpr std::size_t kBlock = 16;
  for (std::size_t from = 0; from < x.size(); from += kBlock) {
    const std::size_t to = std::min(x.size(), from + kBlock);
    std::int32_t any = 0;
    for (std::size_t i = from; i < to; ++i) any |= x[i] ^ y[i];
    for (std::size_t i = from; any != 0 && i < to; ++i) {
      if (x[i] != y[i]) visit(i);
    }
  }
}

}  // namespace bocs
