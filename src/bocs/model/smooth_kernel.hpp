#pragma once
// The kernel of numbers, and of what describes the levels of categories: Matérn 5/2 of the distance between points,
// each coordinate in units of its range times a weight. Functions drawn from a process with it have two derivatives.

#include <vector>

#include "bocs/model/kernel.hpp"

namespace bocs {

class SmoothKernel final : public Kernel {
 public:
  /// One direction to measure: the place of an ordered coordinate, or a number for each level of another.
  struct Axis {
    int coordinate;
    std::vector<double> places = {};  // by level
  };

  SmoothKernel(const Space& space, const std::vector<int>& coordinates);
  SmoothKernel(Space space, std::vector<Axis> axes, double weight)
      : space_(std::move(space)), axes_(std::move(axes)), weight_(weight) {}

  [[nodiscard]] Vector defaults() const override;
  void column(std::span<const Point> data, const Point& x, const Vector& theta, double* result) const override;
  [[nodiscard]] std::unique_ptr<const Correlations> over(std::span<const Point> data,
                                                         const Vector& theta) const override;

 private:
  class Over;

  [[nodiscard]] Matrix coordinates(std::span<const Point> points) const;  // one row per point

  Space space_;
  std::vector<Axis> axes_;
  double weight_;  // of each, by default
};

}  // namespace bocs
