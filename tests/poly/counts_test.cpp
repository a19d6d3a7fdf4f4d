#include "bocs/poly/counts.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace bocs {
namespace {

// More points than are counted at a time, and no multiple of a word of them.
TEST(CountCommon, IsTheProductOfTheColumns) {
  const Space space({binary("a"), categorical("c", {"r", "g", "b"}), binary("b"), binary("d")});
  const auto basis = std::make_shared<Basis>(space, 3);
  Rng rng(1, "counts");
  for (const int count : {1, 63, 64, 4131}) {
    std::vector<Point> points;
    for (int n = 0; n < count; ++n) points.push_back(space.random(rng));
    const Design X(basis, points);
    std::vector<int> all(static_cast<std::size_t>(X.cols()));
    std::iota(all.begin(), all.end(), 0);
    const Matrix columns = X.columns(all);
    Matrix G = Matrix::Zero(X.cols(), X.cols());
    count_common(X, G);
    const Matrix truth = columns.transpose() * columns;
    for (Eigen::Index j = 0; j < G.cols(); ++j) {
      for (Eigen::Index i = j; i < G.rows(); ++i) EXPECT_EQ(G(i, j), truth(i, j)) << count << " " << i << " " << j;
    }
  }
}

}  // namespace
}  // namespace bocs
