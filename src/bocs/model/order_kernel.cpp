#include "bocs/model/order_kernel.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

namespace bocs {

/// Orders as rows of short numbers, one after the other: the position of each item; the successor of each item, and of
/// * at the end (* is n); the predecessors; and a bit per pair of items a < b, whether a stands before b. The first
/// three parts end on multiples of 8, so that a compiler compares 8 numbers at once.
class OrderKernel::Orders {
 public:
  explicit Orders(const OrderKernel& kernel) : first_(kernel.first_), n_(static_cast<std::size_t>(kernel.items_)) {}

  [[nodiscard]] std::size_t size() const { return bits_.size() / words(); }

  void add(const Point& x) {
    const std::size_t width = this->width();
    const auto position = x.begin() + first_;
    numbers_.resize(numbers_.size() + 3 * width);
    std::uint16_t* const at = numbers_.data() + numbers_.size() - 3 * width;
    item_.resize(n_ + 1);  // at each position
    item_[n_] = static_cast<std::uint16_t>(n_);
    for (std::size_t i = 0; i < n_; ++i) {
      at[i] = static_cast<std::uint16_t>(position[i]);
      item_[at[i]] = static_cast<std::uint16_t>(i);
    }
    std::uint16_t last = item_[n_];
    for (const std::uint16_t next : item_) {
      at[width + last] = next;
      at[2 * width + next] = last;
      last = next;
    }
    bits_.resize(bits_.size() + words());
    std::uint64_t* const before = bits_.data() + bits_.size() - words();
    std::size_t bit = 0;
    for (std::size_t b = 1; b < n_; ++b) {
      for (std::size_t a = 0; a < b; ++a, ++bit) {
        before[bit / 64] |= static_cast<std::uint64_t>(at[a] < at[b]) << bit % 64;
      }
    }
  }
  void clear() {
    numbers_.clear();
    bits_.clear();
  }

  /// Of order j to order k of the others.
  [[nodiscard]] Counts distances(std::size_t j, const Orders& others, std::size_t k) const {
    constexpr std::size_t kLanes = 8;
    const std::size_t width = this->width();
    const std::uint16_t* const s = numbers_.data() + j * 3 * width;
    const std::uint16_t* const t = others.numbers_.data() + k * 3 * width;
    std::array<std::uint16_t, kLanes> position{}, successor{}, neighbour{};
    for (std::size_t begin = 0; begin < width; begin += kLanes) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const std::size_t i = begin + lane;
        const auto next = static_cast<std::uint16_t>(s[width + i] != t[width + i]);
        position[lane] = static_cast<std::uint16_t>(position[lane] + (s[i] != t[i]));
        successor[lane] = static_cast<std::uint16_t>(successor[lane] + next);
        neighbour[lane] = static_cast<std::uint16_t>(neighbour[lane] + (next & (s[width + i] != t[2 * width + i])));
      }
    }
    Counts d{};
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      d[0] += position[lane];
      d[2] += successor[lane];
      d[3] += neighbour[lane];
    }
    for (std::size_t w = 0; w < words(); ++w) {
      d[1] += std::popcount(bits_[j * words() + w] ^ others.bits_[k * words() + w]);
    }
    return d;
  }

 private:
  [[nodiscard]] std::size_t width() const { return (n_ + 1 + 7) / 8 * 8; }
  [[nodiscard]] std::size_t words() const { return n_ * (n_ - 1) / 2 / 64 + 1; }

  int first_;
  std::size_t n_;
  std::vector<std::uint16_t> numbers_, item_;
  std::vector<std::uint64_t> bits_;
};

OrderKernel::Counts OrderKernel::largest() const {
  return {std::max(1, items_), std::max(1, items_ * (items_ - 1) / 2), items_ + 1, items_ + 1};
}

OrderKernel::Counts OrderKernel::distances(const Point& s, const Point& t) const {
  Orders both(*this);
  both.add(s);
  both.add(t);
  return both.distances(0, both, 1);
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

/// Distances are whole numbers: every part is looked up in a table. Those of the data do not depend on the parameters.
class OrderKernel::Over final : public Correlations {
 public:
  Over(const OrderKernel& kernel, std::span<const Point> data, const Vector& theta) : Over(kernel, nullptr, theta) {
    auto known = std::make_shared<Data>(kernel);
    for (const Point& x : data) known->orders.add(x);
    for (std::size_t k = 0; k < data.size(); ++k) {
      for (std::size_t j = k; j < data.size(); ++j)
        known->pairs.push_back(known->orders.distances(j, known->orders, k));
    }
    data_ = std::move(known);
  }

  [[nodiscard]] Matrix among_data() const override {
    const auto n = static_cast<Eigen::Index>(data_->orders.size());
    Matrix R = Matrix::Zero(n, n);
    auto pair = data_->pairs.begin();
    for (Eigen::Index k = 0; k < n; ++k) {
      for (Eigen::Index j = k; j < n; ++j) R(j, k) = correlation(*pair++);
    }
    return R;
  }

  [[nodiscard]] Matrix with(std::span<const Point> points) const override {
    Matrix result(data_->orders.size(), points.size());
    Orders one(kernel_);
    for (Eigen::Index k = 0; k < result.cols(); ++k) {
      one.clear();
      one.add(points[k]);
      for (Eigen::Index j = 0; j < result.rows(); ++j) {
        result(j, k) = correlation(data_->orders.distances(static_cast<std::size_t>(j), one, 0));
      }
    }
    return result;
  }

  // With E_f = exp(-w_f d_f): dk/d log w_f = -w_f d_f a_f E_f, and dk/d log a_f = a_f (E_f - k).
  [[nodiscard]] Vector gradient(const Matrix& R, Matrix weights) const override {
    Vector result = Vector::Zero(theta_.size());
    auto pair = data_->pairs.begin();
    for (Eigen::Index k = 0; k < weights.rows(); ++k) {
      ++pair;  // k with itself
      for (Eigen::Index j = k + 1; j < weights.rows(); ++j, ++pair) {
        for (int f = 0; f < kDistances; ++f) {
          const double part = weights(j, k) * this->part(f, *pair);  // a_f E_f
          result[f] -= part * theta_[f] * (*pair)[static_cast<std::size_t>(f)];
          result[kDistances + f] += part - weights(j, k) * share_[f] * R(j, k);
        }
      }
    }
    return result;
  }

  [[nodiscard]] std::unique_ptr<const Correlations> at(const Vector& theta) const override {
    return std::unique_ptr<const Correlations>(new Over(kernel_, data_, theta));
  }

 private:
  struct Data {
    explicit Data(const OrderKernel& kernel) : orders(kernel) {}
    Orders orders;
    std::vector<Counts> pairs;  // of j >= k, column after column
  };

  Over(const OrderKernel& kernel, std::shared_ptr<const Data> data, const Vector& theta)
      : kernel_(kernel), theta_(theta), data_(std::move(data)) {
    share_ = theta.tail(kDistances) / theta.tail(kDistances).sum();
    const Counts largest = kernel.largest();
    for (int f = 0; f < kDistances; ++f) {
      auto& table = parts_[static_cast<std::size_t>(f)];
      for (int d = 0; d <= largest[static_cast<std::size_t>(f)]; ++d) {
        table.push_back(share_[f] * std::exp(-theta[f] * d));
      }
    }
  }

  [[nodiscard]] double part(int f, const Counts& d) const {
    return parts_[static_cast<std::size_t>(f)][static_cast<std::size_t>(d[static_cast<std::size_t>(f)])];
  }
  [[nodiscard]] double correlation(const Counts& d) const {
    double sum = 0;
    for (int f = 0; f < kDistances; ++f) sum += part(f, d);
    return sum;
  }

  const OrderKernel& kernel_;
  Vector theta_, share_;
  std::array<std::vector<double>, kDistances> parts_;  // a_f exp(-w_f d), of each d
  std::shared_ptr<const Data> data_;
};

void OrderKernel::column(std::span<const Point> data, const Point& x, const Vector& theta, double* result) const {
  Eigen::Map<Vector>(result, static_cast<Eigen::Index>(data.size())) = Over(*this, data, theta).with({&x, 1});
}

std::unique_ptr<const Correlations> OrderKernel::over(std::span<const Point> data, const Vector& theta) const {
  return std::make_unique<Over>(*this, data, theta);
}

}  // namespace bocs
