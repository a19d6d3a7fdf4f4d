#include "bocs/model/distance_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bocs/numeric/config.hpp"
#include "bocs/numeric/linalg.hpp"
#include "bocs/space/differences.hpp"

namespace bocs {
namespace {

constexpr double kLargestFactor = 300;  // of a log correlation: exp stays far from overflow

std::vector<int> all_of(const Space& space) {
  std::vector<int> all(static_cast<std::size_t>(space.dimension()));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

/// sum += weight * |column - at|
BOCS_MULTIVERSION
void add_distances(const double* __restrict column, Eigen::Index n, double at, double weight, double* __restrict sum) {
  for (Eigen::Index j = 0; j < n; ++j) sum[j] += weight * std::abs(column[j] - at);
}

/// sum += weight * [column != at]
BOCS_MULTIVERSION
void add_mismatches(const double* __restrict column, Eigen::Index n, double at, double weight, double* __restrict sum) {
  for (Eigen::Index j = 0; j < n; ++j) sum[j] += column[j] == at ? 0.0 : weight;
}

/// What a change of one coordinate does to products of exp(-weight [column != at]).
BOCS_MULTIVERSION
void change_level(const double* __restrict column, Eigen::Index n, double from, double to, double weight,
                  double* __restrict product) {
  const double less = std::exp(-weight), more = std::exp(weight);
  for (Eigen::Index j = 0; j < n; ++j) {
    const double other = column[j] == to ? more : 1.0;
    product[j] *= column[j] == from ? less : other;
  }
}

}  // namespace

class DistanceKernel::Over : public Correlations {
 public:
  Over(const DistanceKernel& kernel, std::span<const Point> data, const Vector& weights);

  [[nodiscard]] Matrix among_data() const override;
  [[nodiscard]] Matrix with(std::span<const Point> points) const override;
  [[nodiscard]] Vector gradient(const Matrix& R, Matrix M) const override;

 private:
  [[nodiscard]] bool is_bit(Eigen::Index i) const { return kernel_.coordinate(i).is_bit(); }
  /// Its distance is a difference; that of others is "equal or not".
  [[nodiscard]] bool is_measured(Eigen::Index i) const { return is_bit(i) || kernel_.coordinate(i).ordered; }
  [[nodiscard]] double place(Eigen::Index i, std::int32_t level) const {
    const Coordinate& c = kernel_.coordinate(i);
    return c.ordered ? c.place(level) : level;
  }
  /// One row per point: levels, of ordered coordinates in units of their range.
  [[nodiscard]] Matrix coordinates(std::span<const Point> points) const;
  /// sum_j += weight * (distance of coordinate i between data point first + j and `at`).
  void add_distance(Eigen::Index i, double at, double weight, Eigen::Index first, double* sum) const;

  const DistanceKernel& kernel_;
  Vector weights_;
  Matrix x_;      // N x d
  Matrix signs_;  // N x (number of bits): sqrt(w_i / 2) where x_i = 1, the negative where it is 0
};

DistanceKernel::DistanceKernel(Space space, std::vector<int> coordinates)
    : space_(std::move(space)), coordinates_(std::move(coordinates)), place_of_(space_.dimension(), -1) {
  for (std::size_t i = 0; i < coordinates_.size(); ++i) place_of_[coordinates_[i]] = static_cast<int>(i);
}

DistanceKernel::DistanceKernel(const Space& space) : DistanceKernel(space, all_of(space)) {}

Vector DistanceKernel::defaults() const {
  const auto size = static_cast<Eigen::Index>(coordinates_.size());
  return Vector::Constant(size, 2.0 / static_cast<double>(size));
}

void DistanceKernel::column(std::span<const Point> data, const Point& x, const Vector& theta, double* result) const {
  Eigen::Map<Vector>(result, static_cast<Eigen::Index>(data.size())) = Over(*this, data, theta).with({&x, 1});
}

std::unique_ptr<const Correlations> DistanceKernel::over(std::span<const Point> data, const Vector& theta) const {
  return std::make_unique<Over>(*this, data, theta);
}

DistanceKernel::Over::Over(const DistanceKernel& kernel, std::span<const Point> data, const Vector& weights)
    : kernel_(kernel), weights_(weights), x_(coordinates(data)) {
  Eigen::Index bits = 0;
  for (Eigen::Index i = 0; i < x_.cols(); ++i) bits += is_bit(i) ? 1 : 0;
  signs_.resize(x_.rows(), bits);
  Eigen::Index sign = 0;
  for (Eigen::Index i = 0; i < x_.cols(); ++i) {
    if (!is_bit(i)) continue;
    signs_.col(sign++) = std::sqrt(weights_[i] / 2) * (2 * x_.col(i).array() - 1);
  }
}

Matrix DistanceKernel::Over::coordinates(std::span<const Point> points) const {
  const auto& which = kernel_.coordinates_;
  Matrix x(points.size(), which.size());
  for (Eigen::Index j = 0; j < x.rows(); ++j) {
    for (Eigen::Index i = 0; i < x.cols(); ++i) x(j, i) = place(i, points[j][which[i]]);
  }
  return x;
}

void DistanceKernel::Over::add_distance(Eigen::Index i, double at, double weight, Eigen::Index first,
                                        double* sum) const {
  const auto add = is_measured(i) ? add_distances : add_mismatches;
  add(x_.col(i).data() + first, x_.rows() - first, at, weight, sum);
}

// Binary variables as signs s = +-1 have w [x != x'] = w/2 (1 - s s'): all of them are one product of matrices.
Matrix DistanceKernel::Over::among_data() const {
  const Eigen::Index n = x_.rows();
  Matrix distances = Matrix::Zero(n, n);
  add_outer(distances, signs_, -1);
  double constant = 0;
  for (Eigen::Index i = 0; i < x_.cols(); ++i) {
    if (is_bit(i)) constant += weights_[i] / 2;
  }
  Matrix R = Matrix::Zero(n, n);
  for (Eigen::Index k = 0; k < n; ++k) {
    auto column = distances.col(k).tail(n - k);
    for (Eigen::Index i = 0; i < x_.cols(); ++i) {
      if (!is_bit(i)) add_distance(i, x_(k, i), weights_[i], k, column.data());
    }
    R.col(k).tail(n - k) = (-constant - column.array()).exp();
  }
  return R;
}

// Neighbours differ in few variables: their columns come from that of the first point, factor by factor where levels
// are equal or not, and from its sum of distances otherwise.
Matrix DistanceKernel::Over::with(std::span<const Point> points) const {
  const auto& which = kernel_.coordinates_;
  const Matrix first = coordinates(points.first(1));
  const Eigen::Index n = x_.rows(), d = x_.cols();
  Matrix result(n, points.size());
  Vector sum = Vector::Zero(n);
  for (Eigen::Index i = 0; i < d; ++i) add_distance(i, first(0, i), weights_[i], 0, sum.data());
  result.col(0) = (-sum).array().exp();
  std::vector<Eigen::Index> changed;
  for (Eigen::Index k = 1; k < result.cols(); ++k) {
    const Point& x = points[k];
    changed.clear();
    bool factors = true;
    for_each_difference(points[0], x, [&](std::size_t coordinate) {
      const Eigen::Index i = kernel_.place_of_[coordinate];
      if (i < 0) return;
      changed.push_back(i);
      factors &= !kernel_.coordinate(i).ordered && weights_[i] < kLargestFactor;
    });
    auto column = result.col(k);
    if (factors && 2 * static_cast<Eigen::Index>(changed.size()) <= d) {
      column = result.col(0);
      for (const Eigen::Index i : changed) {
        change_level(x_.col(i).data(), n, first(0, i), place(i, x[which[i]]), weights_[i], column.data());
      }
      continue;
    }
    column = sum;
    for (const Eigen::Index i : changed) {
      add_distance(i, first(0, i), -weights_[i], 0, column.data());
      add_distance(i, place(i, x[which[i]]), weights_[i], 0, column.data());
    }
    column = (-column).array().exp();
  }
  return result;
}

// dR/d log w_i = -w_i dist_i R, entry by entry.
Vector DistanceKernel::Over::gradient(const Matrix& R, Matrix M) const {
  const Eigen::Index n = x_.rows(), d = x_.cols();
  M.array() *= R.array();
  M.diagonal().setZero();  // distances are symmetric and 0 on the diagonal: the strict lower triangle is enough
  const double sum = M.sum();
  Matrix product;
  Vector result(d);
  multiply(M, signs_, product);
  Eigen::Index sign = 0;
  for (Eigen::Index i = 0; i < d; ++i) {
    if (is_bit(i)) {  // w dist = w/2 (1 - s s')
      result[i] = signs_.col(sign).dot(product.col(sign)) - weights_[i] / 2 * sum;
      ++sign;
      continue;
    }
    double own = 0;
    for (Eigen::Index k = 0; k + 1 < n; ++k) {
      const Eigen::Index below = n - k - 1;
      own += ((x_.col(i).tail(below).array() - x_(k, i)).abs().min(1.0) * M.col(k).tail(below).array()).sum();
    }
    result[i] = -weights_[i] * own;
  }
  return result;
}

}  // namespace bocs
