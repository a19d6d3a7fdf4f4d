#pragma once
// The kernel of numbers: Matérn 5/2 of the distance between points, each coordinate in units of its range times a
// weight. Functions drawn from a process with it have two derivatives.

#include <vector>

#include "bocs/model/kernel.hpp"

namespace bocs {

class SmoothKernel final : public Kernel {
 public:
  SmoothKernel(Space space, std::vector<int> coordinates)
      : space_(std::move(space)), coordinates_(std::move(coordinates)) {}

  [[nodiscard]] Vector defaults() const override;
  void column(std::span<const Point> data, const Point& x, const Vector& theta, double* result) const override;
  [[nodiscard]] std::unique_ptr<const Correlations> over(std::span<const Point> data,
                                                         const Vector& theta) const override;

 private:
  class Over;

  [[nodiscard]] Matrix coordinates(std::span<const Point> points) const;  // one row per point

  Space space_;
  std::vector<int> coordinates_;  // those it measures
};

}  // namespace bocs
