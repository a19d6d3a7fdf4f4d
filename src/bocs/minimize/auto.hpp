#pragma once
// The minimizer chosen by size and kind of the problem: the default.

#include "bocs/minimize/minimizer.hpp"
#include "bocs/minimize/options.hpp"

namespace bocs {

class Auto : public Minimizer {
 public:
  explicit Auto(AutoOptions = {}) {}
  void check(const Space&, const Constraints&, int) const override {}
  [[nodiscard]] Minimum minimize(const Polynomial& f, const Allowed& allowed, Rng& rng) const override;
};

}  // namespace bocs
