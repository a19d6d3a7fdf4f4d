// The methods whose only member is the ascent of a score: `ei` with a Gaussian process, `smac` with a random forest.

#include "bocs/acquire/ascent.hpp"
#include "bocs/method/model_based.hpp"
#include "bocs/method/options.hpp"
#include "bocs/model/gaussian_process.hpp"
#include "bocs/model/random_forest.hpp"

namespace bocs {
namespace {

/// The ascent of a score under one model, with the options that every such method has.
template <class Options>
std::unique_ptr<Method> improve(const Space& space, const Options& options, double random_fraction, std::string name,
                                std::shared_ptr<const Ascent> ascent) {
  const int points = options.initial > 0 ? options.initial : default_initial(space);
  Member member{std::move(name), std::move(ascent)};
  return std::make_unique<ModelBased>(
      ModelBasedOptions{
          {.points = points, .repeats = options.repeats, .fixed = options.initial > 0}, random_fraction, options.noise},
      Portfolio({std::move(member)}));
}

}  // namespace

void EiOptions::describe(OptionTable& table) {
  describe_initial(table, initial);
  describe_noise(table, noise);
  describe_repeats(table, repeats);
  table.integer("steps", steps, -1, 1000,
                "of Adam on the marginal likelihood of the kernel's parameters; -1: 20 with orders or real numbers, "
                "else 5");
}

std::unique_ptr<Method> make_ei(const Space& space, const EiOptions& options) {
  check_options(options);
  const int steps = options.steps < 0 ? usual_steps(space) : options.steps;
  const auto kernel = options.kernel ? options.kernel : default_kernel(space);
  const auto process = std::make_shared<const GaussianProcessModel>(kernel, steps);
  return improve(space, options, 0, "ei",
                 std::make_shared<const Ascent>(process, options.score, BocsOptions::kPatience));
}

void SmacOptions::describe(OptionTable& table) {
  describe_initial(table, initial);
  describe_noise(table, noise);
  describe_repeats(table, repeats);
  table.integer("trees", trees, 1, 10000, "of the forest");
  table.real("split_fraction", split_fraction, 0.001, 1, "of the variables tried at each node of a tree");
  table.integer("min_split", min_split, 2, 1'000'000, "nodes with fewer data are leaves");
  table.real("random_fraction", random_fraction, 0, 1, "of the later points that are random");
}

std::unique_ptr<Method> make_smac(const Space& space, const SmacOptions& options) {
  check_options(options);
  const ForestOptions forest{options.trees, options.split_fraction, options.min_split};
  const auto trees = std::make_shared<const RandomForestModel>(space, forest);
  return improve(space, options, options.random_fraction, "smac", std::make_shared<const Ascent>(trees, options.score));
}

}  // namespace bocs
