#include "bocs/model/descriptions.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bocs/base/error.hpp"
#include "bocs/model/gaussian_process.hpp"
#include "bocs/testing/kernel.hpp"

namespace bocs {
namespace {

std::vector<LevelValue> names(int levels) {
  std::vector<LevelValue> result;
  for (int k = 0; k < levels; ++k) result.emplace_back("L" + std::to_string(k));
  return result;
}

Descriptions random_descriptions(Rng& rng, int levels, int numbers) {
  Descriptions made;
  for (int k = 0; k < numbers; ++k) made.names.push_back("n" + std::to_string(k));
  for (int level = 0; level < levels; ++level) {
    auto& row = made.rows.emplace_back();
    for (int k = 0; k < numbers; ++k) row.push_back(std::pow(10.0, k - 1) * rng.normal());
  }
  return made;
}

TEST(PrincipalDirections, AllOfThemKeepTheStandardizedDistances) {
  Rng rng(1);
  for (int round = 0; round < 20; ++round) {
    const int levels = 3 + static_cast<int>(rng.below(8)), numbers = 1 + static_cast<int>(rng.below(6));
    const Descriptions given = random_descriptions(rng, levels, numbers);
    const Coordinate c = coordinate_of(choice("ligand", names(levels), given));
    const auto directions = principal_directions(c, 100);
    ASSERT_LE(static_cast<int>(directions.size()), std::min(levels - 1, numbers));
    std::vector<std::vector<double>> standardized = given.rows;
    for (int k = 0; k < numbers; ++k) {
      double mean = 0, square = 0;
      for (const auto& row : given.rows) mean += row[k] / levels;
      for (const auto& row : given.rows) square += (row[k] - mean) * (row[k] - mean) / levels;
      for (auto& row : standardized) row[k] = (row[k] - mean) / std::sqrt(square);
    }
    double ratio = 0;
    for (int a = 0; a < levels; ++a) {
      for (int b = 0; b < a; ++b) {
        double wanted = 0, found = 0;
        for (int k = 0; k < numbers; ++k) wanted += std::pow(standardized[a][k] - standardized[b][k], 2);
        for (const auto& direction : directions) found += std::pow(direction[a] - direction[b], 2);
        if (ratio == 0) ratio = found / wanted;
        EXPECT_NEAR(found, ratio * wanted, 1e-9 * (1 + found));
      }
    }
    const auto [low, high] = std::minmax_element(directions[0].begin(), directions[0].end());
    EXPECT_NEAR(*high - *low, 1, 1e-12);
  }
}

TEST(PrincipalDirections, NoneWithoutDescriptions) {
  EXPECT_TRUE(principal_directions(coordinate_of(categorical("a", {"x", "y"})), 3).empty());
}

TEST(Descriptions, ConstantNumbersAreLeftOutAndGapsRefused) {
  const Variable kept = choice("a", names(2), {{"same", "cone"}, {{1, 145}, {1, 170}}});
  EXPECT_EQ(coordinate_of(kept).described.names, std::vector<std::string>{"cone"});
  EXPECT_EQ(variable_from("a", definition_of(kept)), kept);
  EXPECT_EQ(described(kept), "categorical L0, L1, described by 1 numbers");
  const double nan = std::nan("");
  EXPECT_THROW(choice("a", names(2), {{"cone"}, {{1}}}), InvalidArgument);
  EXPECT_THROW(choice("a", names(2), {{"cone"}, {{1}, {1}}}), InvalidArgument);
  EXPECT_THROW(choice("a", names(2), {{"cone"}, {{1}, {nan}}}), InvalidArgument);
  EXPECT_THROW(choice("a", names(2), {{"cone", "x"}, {{1, 2}, {2}}}), InvalidArgument);
}

TEST(Descriptions, TheKernelIsOne) {
  Rng rng(3);
  const Space space({choice("ligand", names(7), random_descriptions(rng, 7, 5)), integer("n", 1, 4),
                     when("n >= 2", choice("salt", names(4), random_descriptions(rng, 4, 2)))});
  EXPECT_EQ(testing::check_kernel(*default_kernel(space), space), std::vector<std::string>{});
}

TEST(Descriptions, ALevelThatWasNeverMeasuredIsJudgedByItsRelatives) {
  // f depends on the cone angle; level 9 and level 2 are unknown, and stand among good and bad ones.
  Descriptions cone{{"cone"}, {}};
  for (int k = 0; k < 12; ++k) cone.rows.push_back({100.0 + 10 * k});
  const auto f = [](int level) { return std::pow(level - 9.0, 2); };
  const auto predicted = [&](const Variable& variable) {
    const Space space({variable, binary("b")});
    Data data{{}, Vector(20)};
    for (int level = 0; level < 12; ++level) {
      if (level == 9 || level == 2) continue;
      for (const int b : {0, 1}) {
        data.y[static_cast<Eigen::Index>(data.x.size())] = f(level) + b;
        data.x.push_back({level, b});
      }
    }
    const Standard standard(data.y);
    data.y = data.y.unaryExpr(standard);
    const auto posterior = GaussianProcessModel(default_kernel(space), usual_steps(space)).fit(data, Rng(1, "fit"));
    const Prediction p = posterior->predict(std::vector<Point>{{9, 0}, {2, 0}});
    return std::pair(standard.original(p.mean[0]), standard.original(p.mean[1]));
  };
  const auto [good, bad] = predicted(choice("ligand", names(12), cone));
  EXPECT_NEAR(good, f(9), 6);
  EXPECT_NEAR(bad, f(2), 12);
  const auto [one, other] = predicted(choice("ligand", names(12)));
  EXPECT_NEAR(one, other, 1e-6);  // without descriptions nothing is known of either
}

}  // namespace
}  // namespace bocs
