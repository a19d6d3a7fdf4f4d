// Uses the installed package: headers, library, and through them Eigen and threads.

#include <bocs/core/linalg.hpp>
#include <bocs/core/parallel.hpp>
#include <bocs/poly/basis.hpp>
#include <cmath>

int main() {
  bocs::Matrix A(2, 2);
  A << 4, 0, 2, 2;  // lower triangle of [4 2; 2 2] = L L', L = [2 0; 1 1]
  const bool factored = bocs::cholesky(A) == 0 && std::abs(A(1, 0) - 1) < 1e-15 && std::abs(A(1, 1) - 1) < 1e-15;

  int squares[3] = {};
  bocs::parallel_for(3, 2, [&](int i) { squares[i] = i * i; });

  const bocs::Basis basis(bocs::Space::binary(4), 2);
  return factored && squares[2] == 4 && basis.size() == 10 ? 0 : 1;
}
