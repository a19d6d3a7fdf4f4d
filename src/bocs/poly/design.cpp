#include "bocs/poly/design.hpp"

#include <algorithm>

#include "bocs/base/error.hpp"
#include "bocs/poly/pairwise.hpp"
#include "bocs/poly/subset_tables.hpp"

namespace bocs {
namespace {

constexpr int kMaxTableFeatures = 30;  // above, row-sparse products beat the tables

constexpr double kMaxStoredBytes = 4e9;

/// The columns that no other kernel serves, stored: extra monomials and, for the tables, all products with a number.
class Stored final : public DesignKernel {
 public:
  /// rest: the kernel of the other columns; nullptr: there are none.
  Stored(std::unique_ptr<DesignKernel> rest, std::vector<int> which, Matrix X, int monomials)
      : rest_(std::move(rest)), which_(std::move(which)), X_(std::move(X)), monomials_(monomials) {}
  [[nodiscard]] Vector times(const Vector& u) const override {
    const Vector own = bocs::times(X_, u(which_));
    return rest_ ? Vector(rest_->times(u) + own) : own;
  }
  [[nodiscard]] Vector transposed_times(const Vector& w) const override {
    Vector result = rest_ ? rest_->transposed_times(w) : Vector(monomials_);
    result(which_) = bocs::transposed_times(X_, w);
    return result;
  }
  [[nodiscard]] Matrix weighted_gram(const Vector& D) const override {
    Matrix G = rest_ ? rest_->weighted_gram(D) : Matrix::Zero(X_.rows(), X_.rows());
    add_outer(G, X_ * D(which_).cwiseSqrt().asDiagonal());
    return G;
  }
  [[nodiscard]] Two times_both(const Two& u) const override {
    if (!rest_) return DesignKernel::times_both(u);
    Two result = rest_->times_both(u);
    for (int k = 0; k < 2; ++k) result[k] += bocs::times(X_, u[k](which_));
    return result;
  }
  [[nodiscard]] Two transposed_times_both(const Two& w) const override {
    if (!rest_) return DesignKernel::transposed_times_both(w);
    Two result = rest_->transposed_times_both(w);
    for (int k = 0; k < 2; ++k) result[k](which_) = bocs::transposed_times(X_, w[k]);
    return result;
  }

 private:
  std::unique_ptr<DesignKernel> rest_;
  std::vector<int> which_;
  Matrix X_;
  int monomials_;
};

Matrix feature_matrix(const Basis& basis, std::span<const Point> points) {
  const auto features = basis.features();
  Matrix B(static_cast<Eigen::Index>(points.size()), static_cast<Eigen::Index>(features.size()));
  for (Eigen::Index n = 0; n < B.rows(); ++n) {
    const Point& x = points[static_cast<std::size_t>(n)];
    basis.space().check(x);
    for (Eigen::Index f = 0; f < B.cols(); ++f) {
      const Feature& feature = features[static_cast<std::size_t>(f)];
      B(n, f) = feature(x[static_cast<std::size_t>(feature.variable)]);
    }
  }
  return B;
}

/// The product of the features of monomial k, at every point.
void fill_column(const Basis& basis, const Eigen::Ref<const Matrix>& features, int k, Eigen::Ref<Vector> column) {
  column.setOnes();
  for (const int f : basis.monomial(k)) column.array() *= features.col(f).array();
}

}  // namespace

Design::Design(std::shared_ptr<const Basis> basis, std::span<const Point> points)
    : Design(basis, feature_matrix(*basis, points)) {}

Design::Design(std::shared_ptr<const Basis> basis, Matrix matrix)
    : basis_(std::move(basis)), features_(std::move(matrix)) {
  require(rows() > 0, "a design needs at least one point");
  const auto features = basis_->features();
  const auto indicators =
      std::count_if(features.begin(), features.end(), [](const Feature& f) { return f.scale == 0; });
  const bool tables = indicators > 0 && indicators <= kMaxTableFeatures;
  const bool pairs = !tables && indicators > 0 && basis_->regular_order() == 2;
  if (tables) kernel_ = std::make_unique<SubsetTables>(*basis_, features_);
  if (pairs) kernel_ = std::make_unique<Pairwise>(*basis_, features_);

  std::vector<int> stored;    // the columns that the kernel does not serve
  std::vector<int> numbered;  // those with other values than 0 and 1
  for (int k = 0; k < cols(); ++k) {
    const auto monomial = basis_->monomial(k);
    const auto numbers = std::count_if(monomial.begin(), monomial.end(), [&](int f) { return features[f].scale > 0; });
    const bool served = (tables && numbers == 0) || (pairs && numbers < static_cast<int>(monomial.size()));
    if (!served || k >= basis_->regular_size()) stored.push_back(k);
    if (numbers > 0) numbered.push_back(k);
  }
  if (kernel_ == nullptr || !stored.empty()) {  // a space without features has no columns at all
    const double bytes = 8.0 * rows() * static_cast<double>(stored.size());
    require(bytes <= kMaxStoredBytes, [&] {
      return std::to_string(stored.size()) + " monomials of integers at " + std::to_string(rows()) + " points need " +
             std::to_string(static_cast<long long>(bytes / 1e9)) +
             " GB; at most 4 are allowed: a lower order, or integers by their value alone, needs less";
    });
    Matrix X = columns(stored);
    kernel_ = std::make_unique<Stored>(std::move(kernel_), std::move(stored), std::move(X), cols());
  }

  means_ = transposed_times(Vector::Ones(rows())) / rows();
  varying_ = ((means_.array() > 0) && (means_.array() < 1)).cast<double>();
  Vector column(rows());
  for (const int k : numbered) {
    fill_column(*basis_, features_, k, column);
    varying_(k) = column.minCoeff() < column.maxCoeff() ? 1 : 0;
  }
  included_ = Vector::Ones(cols());
  for (const int k : basis_->excluded()) included_(k) = varying_(k) = 0;
}

Matrix Design::columns(std::span<const int> which) const {
  Matrix X(rows(), static_cast<Eigen::Index>(which.size()));
  for (Eigen::Index k = 0; k < X.cols(); ++k) {
    fill_column(*basis_, features_, which[static_cast<std::size_t>(k)], X.col(k));
  }
  return X;
}

Matrix Design::rows(int from, int count) const {
  Matrix X(count, cols());
  for (int k = 0; k < cols(); ++k) fill_column(*basis_, features_.middleRows(from, count), k, X.col(k));
  return X;
}

}  // namespace bocs
