#pragma once
// The methods with models of the black box: an initial design, then the members of a portfolio.

#include "bocs/acquire/initial.hpp"
#include "bocs/acquire/measure_again.hpp"
#include "bocs/method/method.hpp"
#include "bocs/method/portfolio.hpp"

namespace bocs {

struct ModelBasedOptions {
  InitialDesign design = {};   // repeats: of the later points; of the design itself only where nothing new is left
  double random_fraction = 0;  // of the later points
  bool noise = false;          // measurements are random, and promising points are measured again
};

/// Their common options.
void describe_initial(OptionTable& table, int& initial);
void describe_noise(OptionTable& table, bool& noise);
void describe_repeats(OptionTable& table, bool& repeats);

class ModelBased : public Method {
 public:
  ModelBased(ModelBasedOptions options, Portfolio portfolio);

  [[nodiscard]] Proposal propose(const Task& task, const History& history, int number) const override;
  /// The best observed point; when measurements are random, the one that is likely best to the model that leads.
  [[nodiscard]] Recommendation recommend(const Task& task, const History& history) const override;
  [[nodiscard]] int initial_points(const Task& task) const override { return options_.design.of(task).points; }
  /// That of the member with the largest share of the next trials.
  [[nodiscard]] const PolynomialModel* explained_model(const Task& task, const History& history) const override;

 private:
  /// A point that has not been evaluated, unless points may be repeated. Throws SpaceExhausted.
  [[nodiscard]] Proposal propose_new(const ProposalContext& now) const;
  /// A point to measure once more, chosen among the measured ones; nothing if `choose` finds none.
  using Choice = const MeasuredPoint* (*)(const std::vector<MeasuredPoint>&, Rng&);
  [[nodiscard]] std::optional<Proposal> propose_again(const ProposalContext& now, Choice choose) const;

  ModelBasedOptions options_;
  Portfolio portfolio_;
};

}  // namespace bocs
