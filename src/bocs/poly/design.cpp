#include "bocs/poly/design.hpp"

#include <algorithm>
#include <numeric>

#include "bocs/core/error.hpp"
#include "bocs/poly/pairwise.hpp"
#include "bocs/poly/subset_tables.hpp"

namespace bocs {
namespace {

constexpr int kMaxTableFeatures = 30;  // above, row-sparse products beat the tables

/// X stored: for spaces with integers, and for orders the other kernels do not know.
class DenseKernel final : public DesignKernel {
 public:
  explicit DenseKernel(Matrix X) : X_(std::move(X)) {}
  [[nodiscard]] Vector times(const Vector& u) const override { return bocs::times(X_, u); }
  [[nodiscard]] Vector transposed_times(const Vector& w) const override { return bocs::transposed_times(X_, w); }
  [[nodiscard]] Matrix weighted_gram(const Vector& D) const override {
    Matrix G = Matrix::Zero(X_.rows(), X_.rows());
    add_outer(G, X_ * D.cwiseSqrt().asDiagonal());
    return G;
  }

 private:
  Matrix X_;
};

/// A kernel of the regular monomials, and the columns of the extra ones stored.
class WithExtras final : public DesignKernel {
 public:
  WithExtras(std::unique_ptr<DesignKernel> regular, Matrix extra)
      : regular_(std::move(regular)), extra_(std::move(extra)) {}
  [[nodiscard]] Vector times(const Vector& u) const override {
    const Vector extra = u.tail(extra_.cols());
    return regular_->times(u.head(u.size() - extra.size())) + bocs::times(extra_, extra);
  }
  [[nodiscard]] Vector transposed_times(const Vector& w) const override {
    const Vector regular = regular_->transposed_times(w);
    Vector result(regular.size() + extra_.cols());
    result << regular, bocs::transposed_times(extra_, w);
    return result;
  }
  [[nodiscard]] Matrix weighted_gram(const Vector& D) const override {
    Matrix G = regular_->weighted_gram(D.head(D.size() - extra_.cols()));
    add_outer(G, extra_ * D.tail(extra_.cols()).cwiseSqrt().asDiagonal());
    return G;
  }

 private:
  std::unique_ptr<DesignKernel> regular_;
  Matrix extra_;
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

/// begin, ..., end - 1
std::vector<int> range(int begin, int end) {
  std::vector<int> result(static_cast<std::size_t>(end - begin));
  std::iota(result.begin(), result.end(), begin);
  return result;
}

/// The product of the features of monomial k, at every point.
void fill_column(const Basis& basis, const Matrix& features, int k, Eigen::Ref<Vector> column) {
  column.setOnes();
  for (const int f : basis.monomial(k)) column.array() *= features.col(f).array();
}

}  // namespace

Design::Design(std::shared_ptr<const Basis> basis, std::span<const Point> points)
    : basis_(std::move(basis)), features_(feature_matrix(*basis_, points)) {
  require(!points.empty(), "a design needs at least one point");
  const auto features = basis_->features();
  const bool indicators = std::all_of(features.begin(), features.end(), [](const Feature& f) { return f.scale == 0; });
  const int count = static_cast<int>(features.size());
  if (indicators && count <= kMaxTableFeatures) {
    kernel_ = std::make_unique<SubsetTables>(*basis_, features_);
  } else if (indicators && basis_->regular_order() == 2) {
    kernel_ = std::make_unique<Pairwise>(*basis_, features_);
  } else {
    kernel_ = std::make_unique<DenseKernel>(columns(range(0, basis_->regular_size())));
  }
  if (cols() > basis_->regular_size()) {
    kernel_ = std::make_unique<WithExtras>(std::move(kernel_), columns(range(basis_->regular_size(), cols())));
  }

  means_ = transposed_times(Vector::Ones(rows())) / rows();
  varying_.resize(cols());
  if (indicators) {
    varying_ = ((means_.array() > 0) && (means_.array() < 1)).cast<double>();
  } else {
    Vector column(rows());
    for (int k = 0; k < cols(); ++k) {
      fill_column(*basis_, features_, k, column);
      varying_(k) = column.minCoeff() < column.maxCoeff() ? 1 : 0;
    }
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

}  // namespace bocs
