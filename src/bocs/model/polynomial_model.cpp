#include "bocs/model/polynomial_model.hpp"

#include <cmath>

#include "bocs/numeric/numbers.hpp"

namespace bocs {
namespace {

constexpr int kDraws = 15;  // for a prediction

class PolynomialPosterior : public Posterior {
 public:
  PolynomialPosterior(std::shared_ptr<const Basis> basis, std::vector<Draw> draws)
      : basis_(std::move(basis)), draws_(std::move(draws)) {}

  [[nodiscard]] Prediction predict(std::span<const Point> points) const override {
    const Design X(basis_, points);
    Matrix f(X.rows(), draws_.size());
    for (Eigen::Index k = 0; k < f.cols(); ++k) f.col(k) = X.times(draws_[k].alpha).array() + draws_[k].intercept;
    Prediction prediction{Vector(f.rows()), Vector(f.rows())};
    for (Eigen::Index i = 0; i < f.rows(); ++i) {
      const Vector values = f.row(i);
      prediction.mean[i] = median({values.begin(), values.end()});
      prediction.variance[i] = (values.array() - values.mean()).square().mean();
    }
    return prediction;
  }

  [[nodiscard]] int repairs() const override {
    int sum = 0;
    for (const Draw& draw : draws_) sum += draw.repairs;
    return sum;
  }

 private:
  std::shared_ptr<const Basis> basis_;
  std::vector<Draw> draws_;
};

}  // namespace

PolynomialModel PolynomialModel::of_order(int order) const {
  BasisOptions options = options_;
  options.order = order;
  return {basis_->space(), std::move(options), regression_};
}

std::unique_ptr<Posterior> PolynomialModel::fit(const Data& data, const Rng& rng) const {
  Rng chain = rng;
  return std::make_unique<PolynomialPosterior>(basis_, draw(data, kDraws, chain));
}

std::vector<Draw> PolynomialModel::draw(const Data& data, int draws, Rng& rng) const {
  return regression_->sample(Design(basis_, data.x), data.y, draws, rng);
}

std::vector<Draw> PolynomialModel::draw(const Data& data, const StablePrefix& stable, int draws, Rng& rng) const {
  return regression_->sample(Design(basis_, data.x), data.y, stable, draws, rng);
}

bool is_finite(const Draw& draw) { return std::isfinite(draw.intercept) && draw.alpha.allFinite(); }

}  // namespace bocs
