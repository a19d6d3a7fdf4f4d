#include "bocs/model/descriptions.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "bocs/numeric/matrix.hpp"

namespace bocs {
namespace {

/// One row per level, each column with mean 0 and variance 1.
Matrix standardized(const Descriptions& described) {
  Matrix Z(described.rows.size(), described.names.size());
  for (Eigen::Index k = 0; k < Z.cols(); ++k) {
    double largest = 0;  // so that no square leaves the range of a double
    for (Eigen::Index j = 0; j < Z.rows(); ++j) {
      Z(j, k) = described.rows[static_cast<std::size_t>(j)][static_cast<std::size_t>(k)];
      largest = std::max(largest, std::abs(Z(j, k)));
    }
    Z.col(k) /= largest;  // a column that is not constant has a number other than 0
    Z.col(k).array() -= Z.col(k).mean();
    Z.col(k) /= std::sqrt(Z.col(k).squaredNorm() / static_cast<double>(Z.rows()));
  }
  return Z;
}

}  // namespace

std::vector<std::vector<double>> principal_directions(const Coordinate& c, int most) {
  constexpr double kNegligible = 1e-9;  // of the largest variance
  std::vector<std::vector<double>> directions;
  if (c.described.names.empty()) return directions;
  // The scores on the principal directions of Z are the eigenvectors of Z Z' times the roots of its eigenvalues: a
  // matrix as large as there are levels, however many numbers describe them.
  const Matrix Z = standardized(c.described);
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(Z * Z.transpose());
  const Vector& variances = solver.eigenvalues();  // ascending
  double unit = 0;
  for (Eigen::Index k = variances.size(); k-- > 0 && static_cast<int>(directions.size()) < most;) {
    if (!(variances[k] > kNegligible * variances[variances.size() - 1])) break;
    Vector scores = solver.eigenvectors().col(k) * std::sqrt(variances[k]);
    Eigen::Index largest = 0;
    scores.cwiseAbs().maxCoeff(&largest);
    if (scores[largest] < 0) scores = -scores;  // an eigenvector has no sign of its own
    if (unit == 0) unit = scores.maxCoeff() - scores.minCoeff();
    scores /= unit;
    auto& places = directions.emplace_back(scores.begin(), scores.end());
    if (c.optional) places.insert(places.begin(), 0.0);
  }
  return directions;
}

}  // namespace bocs
