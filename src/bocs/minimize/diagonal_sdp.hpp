#pragma once
// min <C, Z> over positive semidefinite Z with unit diagonal, [BP18] Sec. 3.2, with a certified lower bound.

#include "bocs/numeric/linalg.hpp"
#include "bocs/numeric/rng.hpp"
#include "bocs/trial/trial.hpp"

namespace bocs {

struct DiagonalSdpOptions {
  double tolerance = 1e-6;  // of the certified gap, relative to |value| or the largest |C_ij|; see also certify
  int sweeps = 20'000;      // limit
  bool certify = true;      // false: stops when a sweep gains less than the tolerance; no bound
};

struct DiagonalSdp {
  Matrix V;          // k x n, columns of length one: Z = V'V
  double value = 0;  // <C, Z>
  Vector y;          // C - Diag(y) is positive semidefinite: the certificate; empty without one
  double lower_bound = -std::numeric_limits<double>::infinity();  // sum of y; -infinity without certificate
  int sweeps = 0;
  Status status = Status::ok;  // limit: stopped before the tolerance was reached
};

/// C is symmetric, n x n. The vectors start at random.
DiagonalSdp solve_diagonal_sdp(const Matrix& C, const DiagonalSdpOptions& options, Rng& rng);

}  // namespace bocs
