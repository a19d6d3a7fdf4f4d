#pragma once
// Objectives that know their space and, where it can be computed, their optimum.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bocs/core/options.hpp"
#include "bocs/core/trial.hpp"

namespace bocs {

struct Optimum {
  Point x;
  double value = 0;  // penalty included, in the problem's own sense
};

struct Problem {
  std::string name;  // the spec it was made from
  Space space;
  Sense sense = Sense::minimize;
  std::function<double(const Point&)> f;                     // without the penalty; thread-safe
  std::function<std::optional<Optimum>(double l1)> optimum;  // of f + l1 |x|_1 (maximize: f - l1 |x|_1)
  std::function<std::string(const Point&)> picture;          // the structure as text; empty: none
};

/// spec: "ising:rows=4,columns=4", "bqp:d=10,lc=10"; the instance seed chooses the random instance.
Problem make_problem(std::string_view spec, std::uint64_t instance);

/// One row of `bocs problems`.
struct ProblemEntry {
  std::string name;
  std::string help;
  std::vector<Option> options;
};
std::vector<ProblemEntry> list_problems();

}  // namespace bocs
