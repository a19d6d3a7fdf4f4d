#include "bocs/model/kernel.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "bocs/model/descriptions.hpp"
#include "bocs/model/distance_kernel.hpp"
#include "bocs/model/gaussian_process.hpp"
#include "bocs/model/order_kernel.hpp"
#include "bocs/model/product_kernel.hpp"
#include "bocs/model/smooth_kernel.hpp"

namespace bocs {
namespace {

// First values, no others were tried: docs/decisions/0074-described-levels.md.
constexpr int kDirections = 3;
constexpr double kDescribedWeight = 1;

class ByColumns : public Correlations {
 public:
  ByColumns(const Kernel& kernel, std::span<const Point> data, Vector theta)
      : kernel_(kernel), data_(data.begin(), data.end()), theta_(std::move(theta)) {}

  [[nodiscard]] Matrix among_data() const override {
    const auto n = static_cast<Eigen::Index>(data_.size());
    Matrix R = Matrix::Zero(n, n);
    for (Eigen::Index k = 0; k < n; ++k) kernel_.column(from(k), data_[k], theta_, R.col(k).data() + k);
    return R;
  }

  [[nodiscard]] Matrix with(std::span<const Point> points) const override {
    Matrix result(data_.size(), points.size());
    for (Eigen::Index k = 0; k < result.cols(); ++k) kernel_.column(data_, points[k], theta_, result.col(k).data());
    return result;
  }

  [[nodiscard]] Vector gradient(const Matrix& /*R*/, Matrix weights) const override {
    Vector result = Vector::Zero(theta_.size());
    for (Eigen::Index k = 0; k + 1 < weights.rows(); ++k) {
      kernel_.gradient(from(k + 1), data_[k], theta_, weights.col(k).data() + k + 1, result);
    }
    return result;
  }

 private:
  [[nodiscard]] std::span<const Point> from(Eigen::Index first) const { return std::span(data_).subspan(first); }

  const Kernel& kernel_;
  std::vector<Point> data_;
  Vector theta_;
};

/// Numbers along which f is taken to be smooth: real ones, and those that exist only sometimes. Not two values alone,
/// and not the amounts of a structure. Whole numbers that are always there have the distances of before.
bool is_number(const Space& space, int coordinate) {
  constexpr int kLeast = 3;
  const Coordinate& c = space[coordinate];
  return space.is_plain(space.variable_of(coordinate)) && c.ordered && !c.flag && (c.optional || !c.whole) &&
         c.levels >= kLeast + (c.optional ? 1 : 0);
}

}  // namespace

void Kernel::gradient(std::span<const Point> data, const Point& x, const Vector& theta, const double* weights,
                      Vector& result) const {
  constexpr double kStep = 1e-5;
  const auto n = static_cast<Eigen::Index>(data.size());
  const Eigen::Map<const Vector> w(weights, n);
  Vector above(n), below(n);
  for (Eigen::Index t = 0; t < theta.size(); ++t) {
    Vector moved = theta;
    moved[t] = theta[t] * std::exp(kStep);
    column(data, x, moved, above.data());
    moved[t] = theta[t] * std::exp(-kStep);
    column(data, x, moved, below.data());
    result[t] += w.dot(above - below) / (2 * kStep);
  }
}

std::unique_ptr<const Correlations> Kernel::over(std::span<const Point> data, const Vector& theta) const {
  return std::make_unique<ByColumns>(*this, data, theta);
}

std::shared_ptr<const Kernel> default_kernel(const Space& space) {
  std::vector<std::shared_ptr<const Kernel>> factors;
  std::vector<int> numbers, others;  // the coordinates of no order
  std::vector<SmoothKernel::Axis> described;
  for (int v = 0; v < static_cast<int>(space.variables().size()); ++v) {
    if (is_order(space.variables()[v])) {
      factors.push_back(std::make_shared<const OrderKernel>(space.first(v), space.count(v)));
    } else {
      for (int i = space.first(v); i < space.first(v + 1); ++i) {
        (is_number(space, i) ? numbers : others).push_back(i);
        for (auto& places : principal_directions(space[i], kDirections)) described.push_back({i, std::move(places)});
      }
    }
  }
  if (!described.empty()) {
    factors.push_back(std::make_shared<const SmoothKernel>(space, std::move(described), kDescribedWeight));
  }
  if (!numbers.empty()) factors.push_back(std::make_shared<const SmoothKernel>(space, std::move(numbers)));
  if (factors.empty()) return std::make_shared<const DistanceKernel>(space);
  if (!others.empty()) factors.push_back(std::make_shared<const DistanceKernel>(space, std::move(others)));
  return factors.size() == 1 ? factors.front() : std::make_shared<const ProductKernel>(std::move(factors));
}

int usual_steps(const Space& space) {
  bool many = std::any_of(space.variables().begin(), space.variables().end(), is_order);
  for (int i = 0; i < space.dimension(); ++i) {
    many = many || is_number(space, i) || !space[i].described.names.empty();
  }
  return many ? 20 : 5;
}

}  // namespace bocs
