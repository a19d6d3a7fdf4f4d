#pragma once
// Thompson sampling, [BP18] Algorithm 1: the minimum of a function drawn from the posterior.

#include "bocs/acquire/acquisition.hpp"
#include "bocs/minimize/minimizer.hpp"
#include "bocs/model/polynomial_model.hpp"

namespace bocs {

struct ThompsonOptions {
  bool failures = true;  // avoids regions that fail, or have extreme values (model/values.hpp); false: fits all values
  bool repeated = true;  // false: of several measurements of a point the first one counts, as in the authors' program
};

/// Running trials are not part of the data: the draws of a batch differ, and so do their minima. Failures are: a draw
/// of the chance to fail, which is the regression of 1 (failed) and 0 (complete) on the same monomials, times what a
/// failure costs is added to the draw. Failing is worth as much as the worst value seen: regions that fail are avoided,
/// not forbidden.
class Thompson : public Acquisition {
 public:
  Thompson(std::shared_ptr<const PolynomialModel> model, std::shared_ptr<const Minimizer> minimizer,
           ThompsonOptions options = {})
      : model_(std::move(model)), minimizer_(std::move(minimizer)), options_(options) {}

  [[nodiscard]] Proposal choose(const ProposalContext& now) const override;
  [[nodiscard]] const Model& model() const override { return *model_; }

 private:
  std::shared_ptr<const PolynomialModel> model_;
  std::shared_ptr<const Minimizer> minimizer_;
  ThompsonOptions options_;
};

}  // namespace bocs
