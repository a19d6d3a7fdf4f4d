#include "bocs/problem/aerostruct/divergence.hpp"

#include <Eigen/LU>
#include <limits>

namespace bocs::aerostruct {

// KL = (trace(Sx^-1 S) - 3 - log det(Sx^-1 S)) / 2. With S = Sx + change and E = Lx^-1 change Lx^-T this is
// (t - log(1 + t + m + det E)) / 2, where t is the trace of E and m the sum of its principal 2 x 2 minors. Formed from
// H - Hx, small divergences keep their relative accuracy, which the first form loses to cancellation.
double divergence(const Jacobian& reference, const Jacobian& cut) {
  using Eigen::Matrix3d;
  const double infinity = std::numeric_limits<double>::infinity();
  const Matrix3d covariance = cut * cut.transpose();
  const double smallest_pivot = 1e-14 * covariance.diagonal().maxCoeff();
  Matrix3d lower = Matrix3d::Zero();
  for (int j = 0; j < 3; ++j) {
    const double pivot = covariance(j, j) - lower.row(j).head(j).squaredNorm();
    if (!(pivot > smallest_pivot)) return infinity;
    lower(j, j) = std::sqrt(pivot);
    for (int i = j + 1; i < 3; ++i) {
      lower(i, j) = (covariance(i, j) - lower.row(i).head(j).dot(lower.row(j).head(j))) / lower(j, j);
    }
  }

  const Matrix3d half = 0.5 * (reference - cut) * (reference + cut).transpose();
  Matrix3d e = half + half.transpose();
  lower.triangularView<Eigen::Lower>().solveInPlace(e);
  lower.triangularView<Eigen::Lower>().transpose().solveInPlace<Eigen::OnTheRight>(e);
  const double minors = e(0, 0) * e(1, 1) - e(0, 1) * e(1, 0) + e(0, 0) * e(2, 2) - e(0, 2) * e(2, 0) +
                        e(1, 1) * e(2, 2) - e(1, 2) * e(2, 1);
  const double kl = 0.5 * (e.trace() - std::log1p(e.trace() + minors + e.determinant()));
  return kl >= 0 ? kl : kl > -1e-10 ? 0 : infinity;
}

}  // namespace bocs::aerostruct
