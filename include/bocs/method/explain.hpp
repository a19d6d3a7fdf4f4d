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

  [[nodiscard]] bool is_sure() const { return low > 0 || high < 0; }
};

/// How much of the model's variation over the space is due to one variable: its Shapley effect. The variance of the
/// polynomial over all points, each equally likely, is the sum of what single variables, pairs, ... add (analysis of
/// variance), and what several add together is divided equally among them. The shares of all variables add up to 1.
struct Share {
  int variable = 0;
  double mean = 0;
  double low = 0;  // 95 % of the posterior lies between low and high
  double high = 0;
};

struct Explanation {
  int order = 0;                // of the polynomial
  bool own = false;             // it is the method's; else it stands beside the method
  int trials = 0;               // complete ones that it was made from
  int draws = 0;                // of the posterior
  std::vector<Share> shares;    // largest first; all 0 when no draw varies
  std::vector<Effect> effects;  // largest |mean| first
  /// How many of the first effects matter: up to the last that is sure, or has a twentieth of the largest.
  [[nodiscard]] int matter() const;
  [[nodiscard]] int sure() const;  // how many effects are
};

/// draws and sweeps are 0: as many as a moderate effort allows, 400 and 100 for a few hundred trials of a few dozen
/// variables. Where even the fewest would take too long, every second, third, ... trial is used.
struct ExplainOptions {
  int order = 0;             // at most so many factors in a term; 0: as the method's model has it
  int draws = 0;             // from four chains, every second one of each
  int sweeps = 0;            // of each chain that are left out, besides those a proposal leaves out
  int threads = 1;           // the result does not depend on it
  std::string outcome = {};  // a metric to explain instead of the value, such as a further goal, as it was reported
};

/// The terms of a horseshoe regression on the complete trials: those of the polynomial that leads
/// (Method::explained_model), or, for a method that has none, all products of at most two features. Terms that are
/// excluded, or do not vary in the data, are left out. The penalty is not part of f. Throws InvalidArgument with fewer
/// than two complete trials.
Explanation explain(const Method& method, const Task& task, const History& history, Sense sense,
                    const ExplainOptions& options = {});

}  // namespace bocs
