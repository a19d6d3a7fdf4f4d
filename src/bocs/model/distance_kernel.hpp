#pragma once
// The default kernel: exp(-sum_i w_i dist_i), one weight per coordinate, where dist_i is [x_i != x'_i] for bits and
// categories (so one-hot and Hamming kernels coincide) and |x_i - x'_i| in units of the range for ordered coordinates,
// whose levels count as equally far apart.

#include <vector>

#include "bocs/model/kernel.hpp"

namespace bocs {

class DistanceKernel : public Kernel {
 public:
  explicit DistanceKernel(const Space& space);                // of all coordinates
  DistanceKernel(Space space, std::vector<int> coordinates);  // ascending

  /// Half of the variables changed leaves a correlation of 1/e.
  [[nodiscard]] Vector defaults() const override;
  void column(std::span<const Point> data, const Point& x, const Vector& theta, double* result) const override;
  [[nodiscard]] std::unique_ptr<const Correlations> over(std::span<const Point> data,
                                                         const Vector& theta) const override;

 private:
  class Over;

  [[nodiscard]] const Coordinate& coordinate(Eigen::Index i) const {
    return space_[coordinates_[static_cast<std::size_t>(i)]];
  }

  Space space_;
  std::vector<int> coordinates_;  // those it measures
  std::vector<int> place_of_;     // of each coordinate of the space, in coordinates_; -1: not there
};

}  // namespace bocs
