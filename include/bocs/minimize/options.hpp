#pragma once
// The options of the minimizers: how the best point of a drawn polynomial is found.

#include <variant>

#include "bocs/base/options.hpp"

namespace bocs {

/// Chooses by size and kind of the problem.
struct AutoOptions {
  void describe(OptionTable& /*table*/) {}
};

/// How a vector of the relaxation becomes a point: a random hyperplane, or Charikar and Wirth (2004).
enum class Rounding { hyperplane, charikar_wirth };
template <>
inline constexpr auto kWords<Rounding> = std::to_array<Word<Rounding>>({{Rounding::hyperplane, "hyperplane"},
                                                                        {Rounding::charikar_wirth, "charikar-wirth"}});

/// The semidefinite relaxation of binary quadratics, [BP18] Sec. 3.2.
struct SdpOptions {
  int roundings = 100;
  Rounding rounding = Rounding::hyperplane;
  bool descend = true;
  double tolerance = 1e-4;
  int sweeps = 20'000;

  void describe(OptionTable& table);
};

/// The temperatures of an annealing: geometric, from the size of the coefficients; those of Spears (1993); those of the
/// authors' program, 0.8^t.
enum class Schedule { geometric, spears, authors };
template <>
inline constexpr auto kWords<Schedule> = std::to_array<Word<Schedule>>({{Schedule::geometric, "geometric"},
                                                                        {Schedule::spears, "spears"},
                                                                        {Schedule::authors, "authors"}});

/// Simulated annealing over single moves, [BP18] Sec. 3.4.
struct AnnealingOptions {
  int restarts = 5;
  int sweeps = 100;
  Schedule schedule = Schedule::geometric;
  int steps = 150;

  void describe(OptionTable& table);
};

/// Multistart tabu search over single moves.
struct TabuOptions {
  int restarts = 5;
  int steps = 0;  // 0: by the number of variables

  void describe(OptionTable& table);
};

/// The true minimum of small problems.
struct ExactOptions {
  int bits = 30;
  int nodes = 20'000'000;

  void describe(OptionTable& table);
};

/// Which minimizer, with its options.
using MinimizerOptions = std::variant<AutoOptions, SdpOptions, AnnealingOptions, TabuOptions, ExactOptions>;

}  // namespace bocs
