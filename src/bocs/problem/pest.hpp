#pragma once
// Pest control, after COMBO (Oh et al. 2019): at each stage use no pesticide (level 0) or one of four. Minimize the
// price paid plus the share of simulations above U = 0.1, summed over the stages and counted before the stage's action.
// Pesticides get cheaper the more often they are used, and weaker: the rate of control is Beta(1, b), where b grows
// with every use. One simulation: Z_0 ~ Beta(1, 30); controlled Z -> (1 - rate) Z, else Z -> Z + spread (1 - Z), spread
// ~ Beta(1, 17/3). A value is an average over 100 simulations (`simulations`).
//
// Beta(1, b) is drawn by inversion, 1 - u^(1/b). `variant` says where the numbers u of a stage come from:
//   fixed  streams of the instance seed, begun anew at every stage: deterministic, and all stages see the same numbers,
//          as in CASMOPOLITAN, BODi, Bounce and MCBO (who, moreover, take the numbers for Z_0, spread and control from
//          one seed; here they are three streams);
//   noisy  fresh numbers for every stage and every measurement, as in COMBO: Problem::noisy. Problem::f is then the
//          average over 10 000 simulations with numbers fixed by the instance seed.
// Values of the two variants are not comparable.

#include "bocs/problem/problem.hpp"

namespace bocs {

struct PestOptions {
  int stages = 25;
  int simulations = 100;
  std::string variant = "fixed";

  void describe(OptionTable& table);
};

Problem make_pest(const Spec& spec, std::uint64_t instance);

}  // namespace bocs
