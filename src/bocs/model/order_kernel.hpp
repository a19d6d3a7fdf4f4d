#pragma once
// The kernel of an order of n items. Two orders s and t, with a virtual item * before the first and after the last,
// have four distances, each a count of what differs:
//   position    items at another position                        0 ... n
//   precedence  pairs that stand the other way round             0 ... n (n - 1) / 2
//   successor   items, * included, that another item follows     0 ... n + 1
//   neighbour   edges {item, successor} of s that t does not have, in either direction
// and k(s, t) = sum_f a_f exp(-w_f d_f), where the a_f are positive and add up to 1. Each exponential is an inner
// product of indicators in the exponent, so each is a kernel; likelihood decides which of them matter: precedence in
// linear orderings, successor in tours, position in assignments. Why a sum: docs/decisions/0004-orders.md.

#include <array>
#include <memory>

#include "bocs/model/kernel.hpp"

namespace bocs {

class OrderKernel final : public Kernel {
 public:
  static constexpr int kDistances = 4;
  using Counts = std::array<int, kDistances>;

  /// Of the order whose positions are the coordinates first ... first + items - 1 of a point.
  OrderKernel(int first, int items) : first_(first), items_(items) {}

  /// w_1 ... w_4, then a_1 ... a_4 times any number: they are scaled to the sum 1.
  [[nodiscard]] Vector defaults() const override;
  void column(std::span<const Point> data, const Point& x, const Vector& theta, double* result) const override;
  [[nodiscard]] std::unique_ptr<const Correlations> over(std::span<const Point> data,
                                                         const Vector& theta) const override;

  /// The four distances, in the order above.
  [[nodiscard]] Counts distances(const Point& s, const Point& t) const;

 private:
  class Over;
  class Orders;

  [[nodiscard]] Counts largest() const;

  int first_, items_;
};

}  // namespace bocs
