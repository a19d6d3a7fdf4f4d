#include "bocs/model/order_kernel.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

namespace bocs {

struct OrderKernel::Order {
  std::vector<std::int32_t> position;     // of each item
  std::vector<std::int32_t> successor;    // of each item, and of * at the end; * is n
  std::vector<std::int32_t> predecessor;  // the same
  std::vector<std::uint64_t> before;      // a bit per pair of items a < b: a stands before b

  [[nodiscard]] std::array<int, kDistances> to(const Order& other) const {
    std::array<int, kDistances> d{};
    const std::size_t n = position.size();
    for (std::size_t i = 0; i < n; ++i) d[0] += position[i] != other.position[i] ? 1 : 0;
    for (std::size_t k = 0; k < before.size(); ++k) d[1] += std::popcount(before[k] ^ other.before[k]);
    for (std::size_t i = 0; i <= n; ++i) {
      const bool follows = successor[i] == other.successor[i];
      d[2] += follows ? 0 : 1;
      d[3] += follows || successor[i] == other.predecessor[i] ? 0 : 1;
    }
    return d;
  }
};

OrderKernel::Order OrderKernel::read(const Point& x) const {
  const auto n = static_cast<std::size_t>(items_);
  const auto begin = x.begin() + first_;
  Order order{{begin, begin + items_}, {}, {}, {}};
  std::vector<std::int32_t> item(n);  // at each position
  for (std::size_t i = 0; i < n; ++i) item[static_cast<std::size_t>(order.position[i])] = static_cast<std::int32_t>(i);
  order.successor.assign(n + 1, items_);
  order.predecessor.assign(n + 1, items_);
  std::int32_t last = items_;
  for (std::size_t p = 0; p <= n; ++p) {
    const std::int32_t next = p < n ? item[p] : items_;
    order.successor[static_cast<std::size_t>(last)] = next;
    order.predecessor[static_cast<std::size_t>(next)] = last;
    last = next;
  }
  order.before.assign((n * (n - 1) / 2 + 63) / 64, 0);
  std::size_t bit = 0;
  for (std::size_t b = 1; b < n; ++b) {
    for (std::size_t a = 0; a < b; ++a, ++bit) {
      order.before[bit / 64] |= static_cast<std::uint64_t>(order.position[a] < order.position[b]) << bit % 64;
    }
  }
  return order;
}

std::array<int, OrderKernel::kDistances> OrderKernel::largest() const {
  return {std::max(1, items_), std::max(1, items_ * (items_ - 1) / 2), items_ + 1, items_ + 1};
}

std::array<int, OrderKernel::kDistances> OrderKernel::distances(const Point& s, const Point& t) const {
  return read(s).to(read(t));
}

/// The most distant orders have a correlation of exp(-2) in each part, and all parts count alike.
Vector OrderKernel::defaults() const {
  Vector theta(2 * kDistances);
  for (int f = 0; f < kDistances; ++f) {
    theta[f] = 2.0 / largest()[static_cast<std::size_t>(f)];
    theta[kDistances + f] = 1;
  }
  return theta;
}

/// Distances are whole numbers: every part is looked up in a table.
class OrderKernel::Over final : public Correlations {
 public:
  Over(const OrderKernel& kernel, std::span<const Point> data, const Vector& theta) : kernel_(kernel), theta_(theta) {
    for (const Point& x : data) orders_.push_back(kernel.read(x));
    const auto largest = kernel.largest();
    share_ = theta.tail(kDistances) / theta.tail(kDistances).sum();
    for (int f = 0; f < kDistances; ++f) {
      auto& table = tables_[static_cast<std::size_t>(f)];
      for (int d = 0; d <= largest[static_cast<std::size_t>(f)]; ++d) table.push_back(std::exp(-theta[f] * d));
    }
  }

  [[nodiscard]] Matrix among_data() const override {
    const auto n = static_cast<Eigen::Index>(orders_.size());
    Matrix R = Matrix::Zero(n, n);
    for (Eigen::Index k = 0; k < n; ++k) {
      for (Eigen::Index j = k; j < n; ++j) R(j, k) = correlation(orders_[j], orders_[k]);
    }
    return R;
  }

  [[nodiscard]] Matrix with(std::span<const Point> points) const override {
    Matrix result(orders_.size(), points.size());
    for (Eigen::Index k = 0; k < result.cols(); ++k) {
      const Order order = kernel_.read(points[k]);
      for (Eigen::Index j = 0; j < result.rows(); ++j) result(j, k) = correlation(orders_[j], order);
    }
    return result;
  }

  // With E_f = exp(-w_f d_f): dk/d log w_f = -w_f d_f a_f E_f, and dk/d log a_f = a_f (E_f - k).
  [[nodiscard]] Vector gradient(const Matrix& R, Matrix weights) const override {
    Vector result = Vector::Zero(theta_.size());
    for (Eigen::Index k = 0; k + 1 < weights.rows(); ++k) {
      for (Eigen::Index j = k + 1; j < weights.rows(); ++j) {
        const auto d = orders_[j].to(orders_[k]);
        for (int f = 0; f < kDistances; ++f) {
          const double E = part(f, d);
          result[f] -= weights(j, k) * theta_[f] * d[static_cast<std::size_t>(f)] * share_[f] * E;
          result[kDistances + f] += weights(j, k) * share_[f] * (E - R(j, k));
        }
      }
    }
    return result;
  }

 private:
  [[nodiscard]] double part(int f, const std::array<int, kDistances>& d) const {
    return tables_[static_cast<std::size_t>(f)][static_cast<std::size_t>(d[static_cast<std::size_t>(f)])];
  }
  [[nodiscard]] double correlation(const Order& s, const Order& t) const {
    const auto d = s.to(t);
    double sum = 0;
    for (int f = 0; f < kDistances; ++f) sum += share_[f] * part(f, d);
    return sum;
  }

  const OrderKernel& kernel_;
  Vector theta_, share_;
  std::array<std::vector<double>, kDistances> tables_;
  std::vector<Order> orders_;
};

void OrderKernel::column(std::span<const Point> data, const Point& x, const Vector& theta, double* result) const {
  Eigen::Map<Vector>(result, static_cast<Eigen::Index>(data.size())) = Over(*this, data, theta).with({&x, 1});
}

std::unique_ptr<const Correlations> OrderKernel::over(std::span<const Point> data, const Vector& theta) const {
  return std::make_unique<Over>(*this, data, theta);
}

}  // namespace bocs
