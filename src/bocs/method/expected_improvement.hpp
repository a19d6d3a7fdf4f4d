#pragma once
// The methods whose only member is expected improvement: `ei` with a Gaussian process ([BP18] Sec. 4, EI), `smac` with
// a random forest (Hutter, Hoos and Leyton-Brown 2011).

#include "bocs/method/method.hpp"

namespace bocs {

struct EiOptions {
  int initial = 0;
  bool noise = false;
  bool repeats = false;
  int steps = 5;
  void describe(OptionTable& table);
};
std::unique_ptr<Method> make_ei(const Spec& spec, const Space& space);

struct SmacOptions {
  int initial = 0;
  bool noise = false;
  bool repeats = false;
  int trees = 50;
  double split_fraction = 5.0 / 6;
  int min_split = 3;
  double random_fraction = 0.2;
  void describe(OptionTable& table);
};
std::unique_ptr<Method> make_smac(const Spec& spec, const Space& space);

}  // namespace bocs
