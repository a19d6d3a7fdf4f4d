#pragma once
// The true minimum over a table of candidates: every row is looked at.

#include "bocs/minimize/minimizer.hpp"

namespace bocs {

/// Of equals the lowest row. The bound is the minimum over all rows, excluded ones too. Needs constraints with
/// candidates.
class Scan final : public Minimizer {
 public:
  void check(const Space&, const Constraints&, int) const override {}
  [[nodiscard]] Minimum minimize(const Polynomial& f, const Allowed& allowed, Rng& rng) const override;
};

}  // namespace bocs
