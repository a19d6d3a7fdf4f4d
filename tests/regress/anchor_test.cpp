#include "bocs/regress/anchor.hpp"

#include <gtest/gtest.h>

#include "bocs/numeric/parallel.hpp"
#include "bocs/regress/horseshoe.hpp"
#include "regress/data.hpp"

namespace bocs {
namespace {

TEST(AnchorRows, AreTheDataRoundedDownToACoarseGrid) {
  for (const int stable : {0, 1, 5, 7, 8, 15}) EXPECT_EQ(anchor_rows(stable), stable);
  EXPECT_EQ(anchor_rows(17), 16);
  EXPECT_EQ(anchor_rows(31), 30);
  EXPECT_EQ(anchor_rows(33), 32);
  EXPECT_EQ(anchor_rows(63), 60);
  EXPECT_EQ(anchor_rows(175), 160);
  EXPECT_EQ(anchor_rows(1000), 960);
  for (int stable = 1; stable < 3000; ++stable) EXPECT_GE(8 * anchor_rows(stable), 7 * stable);
}

/// A growing set of data, and the draw that each number of them gives.
class Anchored : public testing::Test {
 protected:
  static constexpr int kFirst = 40, kLast = 70;
  Anchored() : points_(test::random_points(space_, kLast, rng_)), y_(kLast) {
    for (auto& e : y_) e = rng_.normal();
  }
  [[nodiscard]] Draw draw(const Horseshoe& model, int rows, int stable, std::uint64_t stream = 1) const {
    const Design X(basis_, std::span(points_).first(rows));
    Rng rng(2, "draw", rows);
    return model.sample(X, y_.head(rows), StablePrefix{stable, Rng(stream, "anchor")}, 1, rng).front();
  }
  Space space_ = Space::binary(8);
  std::shared_ptr<const Basis> basis_ = std::make_shared<Basis>(space_, 2);
  Rng rng_{1, "data"};
  std::vector<Point> points_;
  Vector y_;
};

TEST_F(Anchored, TheCacheChangesNoBit) {
  const Horseshoe warm;
  for (int rows = kFirst; rows <= kLast; ++rows) {
    const Draw one = draw(warm, rows, rows);
    EXPECT_EQ(one.alpha, draw(warm, rows, rows).alpha) << rows;         // again
    EXPECT_EQ(one.alpha, draw(Horseshoe(), rows, rows).alpha) << rows;  // as if it were the first call
  }
  for (int rows = kLast; rows >= kFirst; --rows) {  // in another order, over more states than are kept
    EXPECT_EQ(draw(warm, rows, rows).alpha, draw(Horseshoe(), rows, rows).alpha) << rows;
  }
}

TEST_F(Anchored, ThreadsShareTheCache) {
  const Horseshoe shared;
  std::vector<Vector> draws(kLast - kFirst);
  parallel_for(kLast - kFirst, 8, [&](int i) { draws[i] = draw(shared, kFirst + i, kFirst + i).alpha; });
  for (int i = 0; i < kLast - kFirst; ++i) EXPECT_EQ(draws[i], draw(Horseshoe(), kFirst + i, kFirst + i).alpha) << i;
}

TEST_F(Anchored, DependsOnTheSettledDataAndTheStreamAlone) {
  const Horseshoe model;
  const Vector before = draw(model, 60, 60).alpha;
  EXPECT_NE(before, draw(model, 60, 60, 2).alpha);  // another stream at the anchor
  EXPECT_NE(before, draw(model, 60, 50).alpha);     // another anchor
  EXPECT_EQ(draw(model, 60, 48).alpha, draw(model, 60, 51).alpha);
  y_[3] += 1e-9;
  EXPECT_NE(before, draw(model, 60, 60).alpha);
}

TEST_F(Anchored, WithoutEnoughSettledDataTheChainIsCold) {
  HorseshoeOptions none;
  none.anchor = 0;
  const Vector cold = draw(Horseshoe(none), 60, 60).alpha;
  EXPECT_EQ(cold, draw(Horseshoe(), 60, 0).alpha);
  EXPECT_EQ(cold, draw(Horseshoe(), 60, 29).alpha);
  EXPECT_NE(cold, draw(Horseshoe(), 60, 30).alpha);
}

// What is constant at the anchor may vary later: columns and observations.
TEST_F(Anchored, SurvivesAnchorsThatKnowNothing) {
  for (int n = 0; n < 64; ++n) points_[n][2] = 0;
  const Draw late = draw(Horseshoe(), 70, 70);
  EXPECT_TRUE(late.alpha.allFinite());
  EXPECT_NE(late.alpha(2), 0);
  y_.head(64).setConstant(3);
  EXPECT_TRUE(draw(Horseshoe(), 70, 70).alpha.allFinite());
  for (int n = 0; n < 64; ++n) points_[n] = points_[0];
  EXPECT_TRUE(draw(Horseshoe(), 70, 70).alpha.allFinite());
}

}  // namespace
}  // namespace bocs
