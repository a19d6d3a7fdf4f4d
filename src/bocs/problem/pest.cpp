#include "bocs/problem/pest.hpp"

#include <array>
#include <cmath>

namespace bocs {
namespace {

constexpr double kLimit = 0.1;                // U
constexpr int kReferenceSimulations = 10000;  // of the noise-free reference

struct Pesticide {
  double price;
  double discount;   // taken off the price, times the share of stages that use it
  double b;          // of the control rate's Beta(1, b) at the first use
  double tolerance;  // what one use adds to b, times the number of stages
};
constexpr std::array<Pesticide, 4> kPesticides{{
    {1.0, 0.2, 2.0 / 7, 1.0 / 7},
    {0.8, 0.3, 3.0 / 7, 2.5 / 7},
    {0.7, 0.3, 3.0 / 7, 2.0 / 7},
    {0.5, 0.0, 5.0 / 7, 0.5 / 7},
}};

/// u uniform on (0, 1) -> Beta(1, b).
double beta_1(double u, double b) { return 1 - std::pow(u, 1 / b); }

double spread_rate(Rng& rng) { return beta_1(rng.uniform(), 17.0 / 3); }

/// Share of simulations above the limit, summed over the stages. `spread(stage)` and `control(stage)` return the stream
/// of the stage's random numbers.
template <class Spread, class Control>
double time_above(const Point& x, int simulations, Rng initial, Spread&& spread, Control&& control) {
  std::vector<double> Z(simulations);
  for (auto& z : Z) z = beta_1(initial.uniform(), 30);
  std::array<double, 4> b{};
  for (std::size_t p = 0; p < b.size(); ++p) b[p] = kPesticides[p].b;
  long above = 0;
  for (std::size_t stage = 0; stage < x.size(); ++stage) {
    for (const double z : Z) above += z > kLimit ? 1 : 0;
    if (x[stage] == 0) {
      Rng rng = spread(stage);
      for (auto& z : Z) z += spread_rate(rng) * (1 - z);
    } else {
      const int p = x[stage] - 1;
      Rng rng = control(stage);
      for (auto& z : Z) z *= 1 - beta_1(rng.uniform(), b[p]);
      b[p] += kPesticides[p].tolerance / static_cast<double>(x.size());
    }
  }
  return static_cast<double>(above) / simulations;
}

double price(const Point& x) {
  std::array<int, 5> uses{};
  for (const auto level : x) ++uses[level];
  double sum = 0;
  for (std::size_t p = 0; p < kPesticides.size(); ++p) {
    const double share = uses[p + 1] / static_cast<double>(x.size());
    sum += uses[p + 1] * kPesticides[p].price * (1 - kPesticides[p].discount * share);
  }
  return sum;
}

/// A measurement with streams of its own for every stage.
double measure(const Point& x, int simulations, const Rng& rng) {
  const Rng spread = rng.fork(1);
  const Rng control = rng.fork(2);
  return price(x) + time_above(
                        x, simulations, rng.fork(0), [&](std::size_t stage) { return spread.fork(stage); },
                        [&](std::size_t stage) { return control.fork(stage); });
}

}  // namespace

void PestOptions::describe(OptionTable& table) {
  table.integer("stages", stages, 1, 1000, "number of stages");
  table.integer("simulations", simulations, 1, 1'000'000, "that a value is the average of");
  table.choice("variant", variant, {"fixed", "noisy"}, "the same random numbers always, or fresh ones");
}

Problem make_pest(const Spec& spec, std::uint64_t instance) {
  const auto options = parse_options<PestOptions>(spec);
  std::vector<Variable> variables;
  for (int i = 1; i <= options.stages; ++i) {
    variables.push_back(
        categorical("stage" + std::to_string(i), {"none", "pesticide1", "pesticide2", "pesticide3", "pesticide4"}));
  }
  const Space space(std::move(variables));
  Problem problem{spec.text(), space, Sense::minimize, {}, {}, {}, {}, {}};
  problem.optimum = [](double) { return std::nullopt; };
  if (options.variant == "fixed") {
    problem.f = [space, instance, n = options.simulations](const Point& x) {
      space.check(x);
      return price(x) + time_above(
                            x, n, Rng(instance, "pest initial"),
                            [&](std::size_t) { return Rng(instance, "pest spread"); },
                            [&](std::size_t) { return Rng(instance, "pest control"); });
    };
  } else {
    problem.f = [space, instance](const Point& x) {
      space.check(x);
      return measure(x, kReferenceSimulations, Rng(instance, "pest reference"));
    };
    problem.noisy = [space, n = options.simulations](const Point& x, Rng& rng) {
      space.check(x);
      return measure(x, n, Rng(rng.bits(), "pest noisy"));
    };
  }
  return problem;
}

}  // namespace bocs
