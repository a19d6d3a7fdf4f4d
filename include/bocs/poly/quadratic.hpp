#pragma once

#include "bocs/numeric/matrix.hpp"

namespace bocs {

/// x' A x + b' x + c over {0,1}^d, [BP18] Eq. (5). A is symmetric with a zero diagonal.
struct Quadratic {
  Matrix A;
  Vector b;
  double c = 0;
};

}  // namespace bocs
