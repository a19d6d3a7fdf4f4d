#pragma once
// A product of kernels is a kernel: one for each part of a point.

#include <vector>

#include "bocs/model/kernel.hpp"

namespace bocs {

/// Its parameters are those of the factors, one after the other.
class ProductKernel final : public Kernel {
 public:
  explicit ProductKernel(std::vector<std::shared_ptr<const Kernel>> factors) : factors_(std::move(factors)) {}

  [[nodiscard]] Vector defaults() const override;
  void column(std::span<const Point> data, const Point& x, const Vector& theta, double* result) const override;
  [[nodiscard]] std::unique_ptr<const Correlations> over(std::span<const Point> data,
                                                         const Vector& theta) const override;

 private:
  class Over;

  std::vector<std::shared_ptr<const Kernel>> factors_;
};

}  // namespace bocs
