#pragma once
// [BP18] Sec. 4.4: which of the 21 couplings between the aerodynamics and the structure of a wing can be cut without
// changing the distribution of lift, fuel burn and failure under uncertain inputs? f(x) is the Kullback-Leibler
// divergence of the output distribution of the full model from that of the model that keeps the couplings with x_i = 1,
// both linearised at the mean inputs. x = 1 ... 1 has f = 0.

#include "bocs/problem/aerostruct/linearisation.hpp"
#include "bocs/problem/instance_options.hpp"
#include "bocs/problem/problem.hpp"

namespace bocs {

/// Means of the inputs, and their standard deviations relative to the means.
struct AerostructOptions : FlipOptions {
  double alpha = 5;
  double airspeed = 248.136;
  double density = 0.38;
  double mach = 0.84;
  double reynolds = 1e6;
  double youngs_modulus = 70e9;
  double shear_modulus = 30e9;
  double thickness = 0.03;
  double flow_std = 0.05;
  double structure_std = 0.05;

  void describe(OptionTable& table);
};

class Aerostruct {
 public:
  /// Solves and linearises the coupled model at the mean inputs. Throws InvalidArgument for inputs at which there is no
  /// such wing: walls thicker than a tube's radius, deflections that do not settle, no lift, outputs that do not vary.
  explicit Aerostruct(const AerostructOptions& options = {});

  /// f(x); +infinity if the cut model leaves some combination of the outputs without variance, never NaN.
  [[nodiscard]] double divergence(const Point& x) const;
  /// The distribution of lift, fuel burn and failure that f compares: the mean is the same for every x.
  [[nodiscard]] OutputDistribution outputs(const Point& x) const;
  /// For every number of ones in z xor flip, the z with the smallest divergence, by enumeration in about a second; none
  /// where all are infinite.
  [[nodiscard]] std::vector<Point> best_by_ones(const Point& flip) const;

 private:
  Eigen::Vector3d mean_;
  Eigen::Vector3d output_std_;      // of the full model
  aerostruct::Partials partials_;   // standardised: outputs in units of output_std_, inputs of their deviations
  aerostruct::Jacobian reference_;  // of the full model, standardised
};

/// "aerostruct:thickness=0.04". Where the divergence is infinite, f throws Error (a failed trial); with the default
/// options it is finite everywhere.
Problem make_aerostruct(const Spec& spec);

}  // namespace bocs
