#include "bocs/poly/polynomial.hpp"

#include "bocs/base/error.hpp"

namespace bocs {

Polynomial::Polynomial(std::shared_ptr<const Basis> basis, Vector alpha, double constant)
    : basis_(std::move(basis)), alpha_(std::move(alpha)), constant_(constant) {
  require(basis_ != nullptr, "a polynomial needs a basis");
  require(alpha_.size() == basis_->size(), [&] {
    return "the basis has " + std::to_string(basis_->size()) + " monomials, but " + std::to_string(alpha_.size()) +
           " coefficients are given";
  });
  require(std::isfinite(constant_), "the constant of a polynomial must be finite");
  for (int k = 0; k < basis_->size(); ++k) {
    require(std::isfinite(alpha_[k]), [&] { return "the coefficient of " + basis_->name(k) + " is not finite"; });
  }
}

double Polynomial::operator()(const Point& x) const {
  const auto features = basis_->features();
  std::vector<double> phi;
  phi.reserve(features.size());
  for (const Feature& feature : features) phi.push_back(feature(x[static_cast<std::size_t>(feature.variable)]));

  double sum = constant_;
  for (int k = 0; k < basis_->size(); ++k) {
    double product = alpha_[k];
    for (const int f : basis_->monomial(k)) product *= phi[static_cast<std::size_t>(f)];
    sum += product;
  }
  for (std::size_t i = 0; i < offsets_.size(); ++i) {
    if (!offsets_[i].empty()) sum += offsets_[i][static_cast<std::size_t>(x[i])];
  }
  return sum;
}

void Polynomial::add_penalty(const Task& task) {
  require(task.space.dimension() == space().dimension(), [&] {
    return "the task has " + std::to_string(task.space.dimension()) + " variables, the polynomial " +
           std::to_string(space().dimension());
  });
  if (task.l1 == 0 && task.l2 == 0) return;
  const auto features = basis_->features();
  const bool changes = !task.present.empty();
  const double change = task.l1 + task.l2;
  for (std::size_t f = 0; f < features.size(); ++f) {  // monomial f is feature f
    if (!space()[features[f].variable].is_bit()) continue;
    const bool is_off = changes && task.present[static_cast<std::size_t>(features[f].variable)] == 1;
    alpha_[static_cast<Eigen::Index>(f)] += is_off ? -change : change;
    if (is_off) constant_ += change;
  }
  for (int i = 0; i < space().dimension(); ++i) {
    const Coordinate& v = space()[i];
    if (v.is_bit() || (!changes && !v.has_size())) continue;
    auto& own = offsets_of(i);
    for (int level = 0; level < v.levels; ++level) {
      if (changes) {
        own[static_cast<std::size_t>(level)] += level != task.present[static_cast<std::size_t>(i)] ? change : 0;
        continue;
      }
      const double value = v.value(level);
      own[static_cast<std::size_t>(level)] += task.l1 * std::abs(value) + task.l2 * value * value;
    }
  }
}

void Polynomial::add(const KnownSum& sum, double weight) {
  constant_ += weight * sum.constant();
  const auto features = basis_->features();
  for (std::size_t f = 0; f < features.size(); ++f) {  // monomial f is feature f
    const auto& table = sum.of_levels(features[f].variable);
    if (table.empty() || !space()[features[f].variable].is_bit()) continue;
    constant_ += weight * table[0];
    alpha_[static_cast<Eigen::Index>(f)] += weight * (table[1] - table[0]);
  }
  for (int i = 0; i < space().dimension(); ++i) {
    const auto& table = sum.of_levels(i);
    if (table.empty() || space()[i].is_bit()) continue;
    auto& own = offsets_of(i);
    for (std::size_t level = 0; level < table.size(); ++level) own[level] += weight * table[level];
  }
}

void Polynomial::add(const Polynomial& other, double weight) {
  constant_ += weight * other.constant_;
  alpha_ += weight * other.alpha_;
}

void Polynomial::scale(double weight) {
  constant_ *= weight;
  alpha_ *= weight;
  for (auto& own : offsets_) {
    for (double& offset : own) offset *= weight;
  }
}

std::vector<double>& Polynomial::offsets_of(int variable) {
  offsets_.resize(static_cast<std::size_t>(space().dimension()));
  auto& own = offsets_[static_cast<std::size_t>(variable)];
  own.resize(static_cast<std::size_t>(space()[variable].levels), 0.0);
  return own;
}

std::optional<Quadratic> Polynomial::quadratic() const {
  if (!space().all_binary() || basis_->order() > 2) return std::nullopt;
  const int d = space().dimension();
  Quadratic q{Matrix::Zero(d, d), alpha_.head(d), constant_};
  for (int k = d; k < basis_->size(); ++k) {
    const auto pair = basis_->monomial(k);
    q.A(pair[0], pair[1]) = q.A(pair[1], pair[0]) = alpha_[k] / 2;
  }
  return q;
}

const std::vector<double>& Polynomial::offsets(int variable) const {
  static const std::vector<double> none;
  return offsets_.empty() ? none : offsets_[static_cast<std::size_t>(variable)];
}

}  // namespace bocs
