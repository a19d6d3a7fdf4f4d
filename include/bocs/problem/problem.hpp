#pragma once
// Objectives that know their space and, where it can be computed, their optimum.

#include <Eigen/Core>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bocs/base/options.hpp"
#include "bocs/trial/trial.hpp"

namespace bocs {

struct Optimum {
  Point x;
  double value = 0;  // penalty included, in the problem's own sense
};

/// A Gaussian of named outputs.
struct OutputDistribution {
  std::vector<std::string> names;
  std::vector<std::string> units;
  Eigen::VectorXd mean;
  Eigen::MatrixXd covariance;
};

/// Of a model, and of a simpler one that is to replace it.
struct OutputComparison {
  OutputDistribution reference;
  OutputDistribution simplified;
};

struct Problem {
  std::string name;  // the spec it was made from
  Space space;
  Sense sense = Sense::minimize;
  std::function<double(const Point&)> f = {};                     // without the penalty; thread-safe
  std::function<std::optional<Optimum>(double l1)> optimum = {};  // of f + l1 |x|_1 (maximize: f - l1 |x|_1)
  std::function<std::string(const Point&)> picture = {};          // the structure as text; empty: none
  /// Set when a measurement is random: one measurement of x, its noise drawn from the stream of the trial. Then f(x) is
  /// the noise-free reference it is judged by, and no measurement itself.
  std::function<double(const Point&, Rng&)> noisy = {};
  std::function<std::string()> instance_json =
      {};  // what `instance=FILE` reads back, to the bit; empty: nothing is random
  /// Set when x simplifies a model of uncertain outputs.
  std::function<OutputComparison(const Point&)> outputs = {};
  Constraints constraints = {};  // f is defined where they hold
};

/// spec: "ising:rows=4,columns=4", "bqp:d=10,lc=10"; the instance seed chooses the random instance. Throws
/// InvalidArgument; for an unknown name it lists the known ones.
Problem make_problem(std::string_view spec, std::uint64_t instance);

std::vector<RegistryEntry> list_problems();

}  // namespace bocs
