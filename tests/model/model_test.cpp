#include "bocs/model/model.hpp"

#include <gtest/gtest.h>

namespace bocs {
namespace {

TEST(Standard, HasMeanZeroAndVarianceOneAtAnyScale) {
  for (const double scale : {1.0, 1e300, 1e-300}) {
    const Vector y = scale * Vector{{1, 2, 3, 6}};
    const Standard standard(y);
    const Vector z = y.unaryExpr(standard);
    EXPECT_NEAR(z.mean(), 0, 1e-14);
    EXPECT_NEAR(z.squaredNorm() / 4, 1, 1e-14);
    EXPECT_NEAR(standard.original(z[3]) / scale, 6, 1e-12);
  }
  EXPECT_EQ(Standard(Vector::Constant(3, 7))(8), 1);  // all the same: the unit is 1
}

TEST(NoiseVariance, IsThatWithinThePointsOnceThereAreRepetitions) {
  EXPECT_NEAR(noise_variance({{{0}, {1}, {2}}, Vector{{-1, 0, 1}}}), 0.1, 1e-12);  // unknown: a guess
  Rng rng(3, "noise");
  Data data{{}, Vector(600)};
  for (int i = 0; i < 600; ++i) {  // two hundred points, three measurements each
    data.x.push_back({i / 3});
    data.y[i] = (i / 3) % 7 - 3 + 0.5 * rng.normal();
  }
  EXPECT_NEAR(noise_variance(data), 0.25, 4 * 0.25 * std::sqrt(2.0 / 400));
}

}  // namespace
}  // namespace bocs
