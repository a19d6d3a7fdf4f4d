#pragma once
#include "bocs/base/words.hpp"

namespace bocs {

/// How an integer variable enters the polynomial.
enum class Integers {
  value,  // a slope: its value scaled to [0, 1]
  curve,  // a slope and, from three values on, the square of the distance from the middle, scaled to [0, 1]
  levels  // an effect for each value, like a categorical variable; for those of at most Basis::kMaxOneHot values
};
template <>
inline constexpr auto kWords<Integers> = std::to_array<Word<Integers>>({{Integers::curve, "curve"},
                                                                        {Integers::value, "value"},
                                                                        {Integers::levels, "levels"}});

}  // namespace bocs
