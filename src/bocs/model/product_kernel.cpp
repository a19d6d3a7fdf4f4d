#include "bocs/model/product_kernel.hpp"

namespace bocs {

Vector ProductKernel::defaults() const {
  Vector theta;
  for (const auto& factor : factors_) {
    const Vector own = factor->defaults();
    theta.conservativeResize(theta.size() + own.size());
    theta.tail(own.size()) = own;
  }
  return theta;
}

class ProductKernel::Over final : public Correlations {
 public:
  Over(const ProductKernel& kernel, std::span<const Point> data, const Vector& theta, const Over* known = nullptr)
      : kernel_(kernel), data_(data.begin(), data.end()) {
    Eigen::Index begin = 0;
    for (std::size_t k = 0; k < kernel.factors_.size(); ++k) {
      const Eigen::Index size = kernel.factors_[k]->defaults().size();
      const Vector own = theta.segment(begin, size);
      std::unique_ptr<const Correlations> factor = known != nullptr ? known->factors_[k]->at(own) : nullptr;
      factors_.push_back(factor != nullptr ? std::move(factor) : kernel.factors_[k]->over(data, own));
      among_.push_back(factors_.back()->among_data());
      begin += size;
    }
  }

  [[nodiscard]] Matrix among_data() const override {
    Matrix R = among_.front();
    for (std::size_t k = 1; k < among_.size(); ++k) R.array() *= among_[k].array();
    return R;
  }

  [[nodiscard]] Matrix with(std::span<const Point> points) const override {
    Matrix result = factors_.front()->with(points);
    for (std::size_t k = 1; k < factors_.size(); ++k) result.array() *= factors_[k]->with(points).array();
    return result;
  }

  // The derivative by a parameter of one factor is that factor's own times all other factors.
  [[nodiscard]] Vector gradient(const Matrix& /*R*/, Matrix weights) const override {
    Vector result;
    for (std::size_t k = 0; k < factors_.size(); ++k) {
      Matrix others = weights;
      for (std::size_t other = 0; other < factors_.size(); ++other) {
        if (other != k) others.array() *= among_[other].array();
      }
      const Vector own = factors_[k]->gradient(among_[k], std::move(others));
      result.conservativeResize(result.size() + own.size());
      result.tail(own.size()) = own;
    }
    return result;
  }

  [[nodiscard]] std::unique_ptr<const Correlations> at(const Vector& theta) const override {
    return std::make_unique<Over>(kernel_, data_, theta, this);
  }

 private:
  const ProductKernel& kernel_;
  std::vector<Point> data_;
  std::vector<std::unique_ptr<const Correlations>> factors_;
  std::vector<Matrix> among_;
};

void ProductKernel::column(std::span<const Point> data, const Point& x, const Vector& theta, double* result) const {
  Eigen::Map<Vector>(result, static_cast<Eigen::Index>(data.size())) = Over(*this, data, theta).with({&x, 1});
}

std::unique_ptr<const Correlations> ProductKernel::over(std::span<const Point> data, const Vector& theta) const {
  return std::make_unique<Over>(*this, data, theta);
}

}  // namespace bocs
