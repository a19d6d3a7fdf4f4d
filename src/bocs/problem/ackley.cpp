#include "bocs/problem/ackley.hpp"

#include <cmath>
#include <memory>
#include <numbers>
#include <numeric>

#include "bocs/base/error.hpp"

namespace bocs {
namespace {

constexpr double kEnd = 32.768;

/// At every x_i = 0 it is 0 to the bit.
double ackley(const std::vector<double>& x) {
  const auto d = static_cast<double>(x.size());
  double squares = 0, cosines = 0;
  for (const double value : x) {
    squares += value * value / d;
    cosines += (std::cos(2 * std::numbers::pi * value) - 1) / d;
  }
  return -20 * std::expm1(-std::sqrt(squares) / 5) - std::numbers::e * std::expm1(cosines);
}

}  // namespace

void AckleyOptions::describe(OptionTable& table) {
  table.integer("d", d, 1, 1000, "number of variables");
  table.integer("levels", levels, 3, 101, "of each, an odd number, so that 0 is one of them");
}

Problem make_ackley(const Spec& spec, std::uint64_t instance) {
  const auto options = parse_options<AckleyOptions>(spec);
  require(options.levels % 2 == 1,
          [&] { return "ackley: levels=" + std::to_string(options.levels) + ": allowed is an odd number"; });
  const int middle = options.levels / 2;
  std::vector<std::string> names;
  for (int level = 0; level < options.levels; ++level) names.push_back("level" + std::to_string(level));

  Rng rng(instance, "ackley");
  std::vector<Variable> variables;
  std::vector<std::vector<int>> orders;
  Optimum best{Point(static_cast<std::size_t>(options.d)), 0};
  for (int i = 0; i < options.d; ++i) {
    variables.push_back(categorical("x" + std::to_string(i), names));
    auto& order = orders.emplace_back(static_cast<std::size_t>(options.levels));
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t k = order.size(); k > 1; --k) {
      std::swap(order[k - 1], order[rng.below(static_cast<std::uint32_t>(k))]);
    }
    best.x[static_cast<std::size_t>(i)] =
        static_cast<std::int32_t>(std::find(order.begin(), order.end(), middle) - order.begin());
  }
  Problem problem{.name = spec.text(), .space = Space(std::move(variables))};
  problem.f = [space = problem.space, orders, middle](const Point& x) {
    space.check(x);
    std::vector<double> at;
    for (std::size_t i = 0; i < x.size(); ++i) {
      at.push_back(kEnd * (orders[i][static_cast<std::size_t>(x[i])] - middle) / middle);
    }
    return ackley(at);
  };
  problem.optimum = [best](double /*l1*/) { return best; };  // categories are not penalized
  return problem;
}

}  // namespace bocs
