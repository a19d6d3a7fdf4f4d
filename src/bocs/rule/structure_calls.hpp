#pragma once
// What the functions of structures mean: position(a), before(a, b), adjacent(a, b) of an order, place(a) of an
// assignment, amount(a) of a mixture, chosen(a) and size(name) of a subset.

#include "bocs/rule/names.hpp"
#include "bocs/space/syntax.hpp"

namespace bocs {

CallMeaning structure_calls(const Names& names);  // keeps a reference to the space

}  // namespace bocs
