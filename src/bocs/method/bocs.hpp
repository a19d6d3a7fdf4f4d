#pragma once
// BOCS, Algorithm 1 of [BP18]: Thompson sampling with a polynomial model of the black box.

#include "bocs/method/method.hpp"
#include "bocs/method/worth.hpp"
#include "bocs/minimize/minimizer.hpp"
#include "bocs/regress/regression.hpp"

namespace bocs {

/// Besides these, "model.KEY" and "minimizer.KEY" set the options of the parts.
struct BocsOptions {
  std::string order = "auto";
  std::string extra;               // names of monomials, joined by +
  std::string exclude;             // the same
  std::string integers = "curve";  // curve | value | levels
  int polish = 4;
  int initial = 0;
  std::string model = "horseshoe";
  std::string minimizer = "auto";
  bool repeats = false;
  bool noise = false;
  bool published = false;
  void describe(OptionTable& table);
  /// Models of several orders compete, and a Gaussian process polishes: for the sparse model alone, and not for the
  /// semidefinite relaxation, which is for order 2.
  [[nodiscard]] bool automatic() const { return order == "auto" && model == "horseshoe" && minimizer != "sdp"; }
  /// Integer variables of at most so many values have an effect for each of them; 2: only those that have no other.
  [[nodiscard]] int all_values() const { return integers == "levels" ? Basis::kMaxOneHot : 2; }
};

/// One kind of model: the monomials it uses and how their coefficients are drawn.
struct Surrogate {
  std::shared_ptr<const Basis> basis;
  std::unique_ptr<Regression> regression;
};

class Bocs : public Method {
 public:
  /// One surrogate, or two that compete for the trials, the one of lower order first. Every options.polish-th trial is
  /// left to `polish`, unless that is nullptr.
  Bocs(BocsOptions options, std::vector<Surrogate> surrogates, std::unique_ptr<Minimizer> minimizer,
       std::unique_ptr<Method> polish = nullptr);

  [[nodiscard]] Proposal propose(const Task& task, const History& history, int number) const override;
  /// The best observed point; when measurements are noisy, the one that is likely best (worth.hpp).
  [[nodiscard]] Proposal recommend(const Task& task, const History& history) const override;

 private:
  /// A point that has not been evaluated, unless options_.repeats. Throws SpaceExhausted.
  [[nodiscard]] Proposal propose_new(const Task& task, const History& history, int number) const;
  /// A point to measure once more, chosen among the measured ones; nothing if `choose` finds none.
  using Choice = const Worth* (*)(const std::vector<Worth>&, Rng&);
  [[nodiscard]] std::optional<Proposal> propose_again(const Task& task, const History& history, int number,
                                                      Choice choose) const;
  /// Points measured before, judged by their measurements and the models. Empty if a model gave no finite draw.
  [[nodiscard]] std::vector<Worth> measured(const Task& task, const History& history, Rng rng) const;
  /// Those whose cost is bearable for so many evaluations.
  [[nodiscard]] std::span<const Surrogate> affordable(std::size_t evaluations) const;
  [[nodiscard]] const Surrogate& surrogate_for(const Task& task, const History& history, int number) const;

  BocsOptions options_;  // `initial` already chosen
  std::vector<Surrogate> surrogates_;
  std::unique_ptr<Minimizer> minimizer_;
  std::unique_ptr<Method> polish_;  // nullptr: none
};

/// Its own options and, as model.KEY and minimizer.KEY, those of every part it can be made of.
std::vector<Option> list_bocs_options();

/// The monomials of its models: one set, or two of different order that compete, the lower one first.
std::vector<BasisOptions> bocs_models(Spec spec, const Space& space);

/// Throws InvalidArgument for unknown settings, of the parts too, and for spaces the minimizer cannot treat.
std::unique_ptr<Method> make_bocs(const Spec& spec, const Space& space, const Constraints& constraints = {});

}  // namespace bocs
