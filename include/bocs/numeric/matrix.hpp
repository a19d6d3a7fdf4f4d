#pragma once
#include <Eigen/Core>

namespace bocs {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;  // column-major

}  // namespace bocs
