#pragma once
// What the evaluations say about the structure of f: the posterior of the sparse model's coefficients.

#include <string>
#include <vector>

#include "bocs/method/method.hpp"

namespace bocs {

/// One term of the model, [BP18] Eq. (1): a single feature, or a product of several. A binary variable counts from 0 to
/// 1, an integer one from its lowest to its highest value, a level of a categorical one against the first level, and so
/// does a value of an integer one that enters the model by its levels; the square of an integer one, from the middle of
/// its range to an end.
struct Effect {
  std::vector<std::string> names;  // "station[3]", "depot=river"; more than one: an interaction
  double mean = 0;                 // posterior mean of the coefficient, in the user's sense
  double low = 0;                  // 95 % of the posterior lies between low and high
  double high = 0;
  double probability = 0;  // that the coefficient has the sign of its mean
};

struct ExplainOptions {
  int order = 0;     // at most so many factors in a term; 0: as the method's model has it
  int draws = 400;   // from four chains, every second one of each
  int sweeps = 100;  // of each chain that are left out, besides those a proposal leaves out
  int threads = 1;   // the result does not depend on it
};

/// The terms of a horseshoe regression on the complete trials, largest |mean| first: those of the polynomial that leads
/// (Method::polynomial), or, for a method that has none, all products of at most two features. Terms that are excluded,
/// or do not vary in the data, are left out. The penalty is not part of f. Throws InvalidArgument with fewer than two
/// complete trials.
std::vector<Effect> explain(const Method& method, const Task& task, const History& history, Sense sense,
                            const ExplainOptions& options = {});

}  // namespace bocs
