#include "bocs/model/smooth_kernel.hpp"

#include <cmath>

#include "bocs/numeric/config.hpp"

namespace bocs {
namespace {

const double kRoot5 = std::sqrt(5.0);

/// sum += weight * (column - at)^2
BOCS_MULTIVERSION
void add_squares(const double* __restrict column, Eigen::Index n, double at, double weight, double* __restrict sum) {
  for (Eigen::Index j = 0; j < n; ++j) sum[j] += weight * (column[j] - at) * (column[j] - at);
}

/// Of squared distances.
Vector correlation(const Vector& squares) {
  const Vector r = kRoot5 * squares.array().max(0.0).sqrt();
  return (1 + r.array() + r.array().square() / 3) * (-r.array()).exp();
}

/// On [0, 1]. Absent lies in the middle: it is the condition that tells branches apart, and what they share is learnt
/// in all of them.
double place(const Coordinate& c, std::int32_t level) {
  if (!c.optional) return c.place(level);
  return level == 0 ? 0.5 : (level - 1) / (c.levels - 2.0);
}

}  // namespace

class SmoothKernel::Over final : public Correlations {
 public:
  Over(const SmoothKernel& kernel, std::span<const Point> data, const Vector& theta)
      : kernel_(kernel), squares_(theta.array().square()), x_(kernel.coordinates(data)) {}

  [[nodiscard]] Matrix among_data() const override {
    const Eigen::Index n = x_.rows();
    Matrix R = Matrix::Zero(n, n);
    for (Eigen::Index k = 0; k < n; ++k) R.col(k).tail(n - k) = correlation(distances(x_.row(k), k));
    return R;
  }

  // Neighbours differ in few coordinates.
  [[nodiscard]] Matrix with(std::span<const Point> points) const override {
    const Matrix x = kernel_.coordinates(points);
    Matrix result(x_.rows(), x.rows());
    const Vector first = distances(x.row(0), 0);
    for (Eigen::Index k = 0; k < x.rows(); ++k) {
      Vector own = first;
      for (Eigen::Index i = 0; i < x.cols(); ++i) {
        if (x(k, i) == x(0, i)) continue;
        add_squares(x_.col(i).data(), x_.rows(), x(0, i), -squares_[i], own.data());
        add_squares(x_.col(i).data(), x_.rows(), x(k, i), squares_[i], own.data());
      }
      result.col(k) = correlation(own);
    }
    return result;
  }

  // With s = sqrt(5) r: dk/d log w_i = -5/3 (1 + s) exp(-s) w_i^2 (x_i - x'_i)^2.
  [[nodiscard]] Vector gradient(const Matrix& /*R*/, Matrix weights) const override {
    const Eigen::Index n = x_.rows();
    Vector result = Vector::Zero(x_.cols());
    for (Eigen::Index k = 0; k + 1 < n; ++k) {
      const Eigen::Index below = n - k - 1;
      const Vector s = kRoot5 * distances(x_.row(k), k + 1).array().max(0.0).sqrt();
      const Vector slope = -5.0 / 3 * (1 + s.array()) * (-s.array()).exp() * weights.col(k).tail(below).array();
      for (Eigen::Index i = 0; i < x_.cols(); ++i) {
        result[i] += squares_[i] * ((x_.col(i).tail(below).array() - x_(k, i)).square() * slope.array()).sum();
      }
    }
    return result;
  }

 private:
  /// Squared, from the data from `from` on.
  template <class Row>
  [[nodiscard]] Vector distances(const Row& at, Eigen::Index from) const {
    Vector sum = Vector::Zero(x_.rows() - from);
    for (Eigen::Index i = 0; i < x_.cols(); ++i) {
      add_squares(x_.col(i).data() + from, sum.size(), at[i], squares_[i], sum.data());
    }
    return sum;
  }

  const SmoothKernel& kernel_;
  Vector squares_;  // of the weights
  Matrix x_;        // N x d
};

/// A third of the range of one coordinate leaves a correlation of about 1/2.
SmoothKernel::SmoothKernel(const Space& space, const std::vector<int>& coordinates) : space_(space), weight_(3.0) {
  for (const int i : coordinates) axes_.push_back({i});
}

Vector SmoothKernel::defaults() const { return Vector::Constant(static_cast<Eigen::Index>(axes_.size()), weight_); }

Matrix SmoothKernel::coordinates(std::span<const Point> points) const {
  Matrix x(points.size(), axes_.size());
  for (Eigen::Index j = 0; j < x.rows(); ++j) {
    for (Eigen::Index i = 0; i < x.cols(); ++i) {
      const Axis& axis = axes_[static_cast<std::size_t>(i)];
      const auto level = points[static_cast<std::size_t>(j)][static_cast<std::size_t>(axis.coordinate)];
      x(j, i) =
          axis.places.empty() ? place(space_[axis.coordinate], level) : axis.places[static_cast<std::size_t>(level)];
    }
  }
  return x;
}

void SmoothKernel::column(std::span<const Point> data, const Point& x, const Vector& theta, double* result) const {
  Eigen::Map<Vector>(result, static_cast<Eigen::Index>(data.size())) = Over(*this, data, theta).with({&x, 1});
}

std::unique_ptr<const Correlations> SmoothKernel::over(std::span<const Point> data, const Vector& theta) const {
  return std::make_unique<Over>(*this, data, theta);
}

}  // namespace bocs
