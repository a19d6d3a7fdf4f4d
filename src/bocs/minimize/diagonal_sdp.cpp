// The mixing method [WCK17]: Z = V'V with columns of length one in k > sqrt(2n) dimensions, where no local minimum is
// worse than the global one; cyclic exact minimization over one column after the other.
#include "bocs/minimize/diagonal_sdp.hpp"

#include <algorithm>
#include <cmath>

#include "bocs/base/error.hpp"
#include "bocs/numeric/config.hpp"

namespace bocs {
namespace {

/// g = sum over j of c_j v_j, for n columns v_j of length k stored one after the other.
BOCS_MULTIVERSION void combine(const double* c, const double* V, std::size_t n, std::size_t k, double* g) {
  for (std::size_t r = 0; r < k; ++r) g[r] = 0;
  std::size_t j = 0;
  for (; j + 4 <= n; j += 4, V += 4 * k) {
    for (std::size_t r = 0; r < k; ++r) {
      g[r] += (c[j] * V[r] + c[j + 1] * V[k + r]) + (c[j + 2] * V[2 * k + r] + c[j + 3] * V[3 * k + r]);
    }
  }
  for (; j < n; ++j, V += k) {
    for (std::size_t r = 0; r < k; ++r) g[r] += c[j] * V[r];
  }
}

/// One pass over all columns: v_i = -g_i / |g_i| with g_i = sum of C_ij v_j minimizes over v_i. C has a zero diagonal.
/// Returns how much <C, Z> has fallen.
double sweep(const Matrix& C, Matrix& V, Vector& g) {
  double gain = 0;
  for (Eigen::Index i = 0; i < C.cols(); ++i) {
    combine(C.col(i).data(), V.data(), static_cast<std::size_t>(V.cols()), static_cast<std::size_t>(V.rows()),
            g.data());
    const double norm = g.norm();
    if (norm == 0) continue;
    gain += 2 * (norm + g.dot(V.col(i)));
    V.col(i) = g / -norm;
  }
  return gain;
}

/// Value and certificate at V. Stationarity, C v_i = y_i v_i, gives the multipliers y; shifting them by the smallest
/// eigenvalue of C - Diag(y), less what rounding may have done to it, makes them feasible for the dual: max sum(y).
void evaluate(const Matrix& C, const Vector& diagonal, bool certify, DiagonalSdp& result) {
  Matrix G;
  multiply(result.V, C, G);
  result.value = diagonal.sum() + G.cwiseProduct(result.V).sum();
  if (!certify) return;
  result.y = diagonal - G.colwise().norm().transpose();
  Matrix S = C;
  S.diagonal() = diagonal - result.y;
  // The error of a computed eigenvalue is of the order of n eps |S| (seen: 0.3 n eps times the spectral norm, n =
  // 1001).
  const double rounding = static_cast<double>(S.rows()) * std::numeric_limits<double>::epsilon() * S.norm();
  result.y.array() += std::min(0.0, smallest_eigenvalue(S) - rounding);
  result.lower_bound = result.y.sum();
}

}  // namespace

DiagonalSdp solve_diagonal_sdp(const Matrix& C, const DiagonalSdpOptions& options, Rng& rng) {
  require(C.rows() == C.cols() && C.rows() > 0, [&] {
    return "the matrix of an SDP is square, not " + std::to_string(C.rows()) + " x " + std::to_string(C.cols());
  });
  const Eigen::Index n = C.rows();
  const auto k = static_cast<Eigen::Index>(std::ceil(std::sqrt(2.0 * static_cast<double>(n)))) + 1;
  DiagonalSdp result;
  result.V.resize(k, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index r = 0; r < k; ++r) result.V(r, i) = rng.normal();
    result.V.col(i).normalize();
  }
  const Vector diagonal = C.diagonal();
  Matrix off = C;
  off.diagonal().setZero();
  const double largest = C.cwiseAbs().maxCoeff();

  Vector g(k);
  double value = diagonal.sum() + (result.V * off).cwiseProduct(result.V).sum();
  double small = options.certify ? options.tolerance / 4 : options.tolerance;  // gain at which to look at the gap
  while (result.sweeps < options.sweeps) {
    const double gain = sweep(off, result.V, g);
    ++result.sweeps;
    value -= gain;
    const double scale = std::max(std::abs(value), largest);
    if (gain > small * scale) continue;
    evaluate(off, diagonal, options.certify, result);
    const double gap = result.value - result.lower_bound;
    if (!options.certify || gap <= options.tolerance * scale) return result;
    small /= 8;
    if (small < 1e-18) break;  // what is left is rounding
  }
  evaluate(off, diagonal, options.certify, result);
  result.status = Status::limit;
  return result;
}

}  // namespace bocs
