#include "bocs/experiment/marginals.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <map>
#include <sstream>

#include "bocs/base/error.hpp"
#include "bocs/numeric/linalg.hpp"

namespace bocs {
namespace {

OutputDistribution outputs(double variance, double covariance) {
  OutputDistribution result{{"lift", "fuel"}, {"1", "kg"}, Vector(2), Matrix(2, 2)};
  result.mean << 0.5, 900;
  result.covariance << variance, covariance, covariance, 25;
  return result;
}

using Curves = std::map<std::pair<std::string, std::string>, std::vector<std::pair<double, double>>>;

Curves read(const std::string& csv) {
  Curves curves;
  std::istringstream lines(csv);
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "panel,model,x,y");
  while (std::getline(lines, line)) {
    const auto quote = line.rfind('"');
    std::istringstream rest(line.substr(quote + 2));
    std::string model, x, y;
    std::getline(rest, model, ',');
    std::getline(rest, x, ',');
    std::getline(rest, y, ',');
    curves[{line.substr(1, quote - 1), model}].emplace_back(std::stod(x), std::stod(y));
  }
  return curves;
}

TEST(Marginals, DensitiesIntegrateToOneAndHaveTheRightVariance) {
  const Figure figure = marginals_figure("wing", {outputs(0.01, 0.1), outputs(0.0025, 0.1)});
  const Curves curves = read(figure.csv);
  EXPECT_EQ(curves.size(), 6U);  // three panels, two models
  const std::pair<const char*, double> expected[] = {{"reference", 0.01}, {"simplified", 0.0025}};
  for (const auto& [model, variance] : expected) {
    const auto& curve = curves.at({"lift", model});
    double mass = 0;
    double second = 0;
    for (std::size_t k = 1; k < curve.size(); ++k) {
      const double step = curve[k].first - curve[k - 1].first;
      mass += step * curve[k].second;
      second += step * curve[k].second * (curve[k].first - 0.5) * (curve[k].first - 0.5);
    }
    EXPECT_NEAR(mass, 1, 2e-3);
    EXPECT_NEAR(second, variance, 0.02 * variance);
  }
}

TEST(Marginals, EllipsesHoldTheRightProbability) {
  const OutputDistribution reference = outputs(0.01, 0.2);
  const Curves curves = read(marginals_figure("wing", {reference, outputs(0.01, -0.2)}).csv);
  const Matrix precision = reference.covariance.inverse();
  for (const auto& [x, y] : curves.at({"lift, fuel", "reference"})) {
    const Vector d = Vector{{x - 0.5, y - 900}};
    // P(chi-square with 2 degrees of freedom < r) = 1 - exp(-r / 2)
    EXPECT_NEAR(1 - std::exp(-d.dot(precision * d) / 2), 0.95, 1e-6);
  }
}

TEST(Marginals, RefuseAnOutputWithoutVariance) {
  OutputDistribution flat = outputs(0.01, 0);
  flat.covariance(0, 0) = 0;
  EXPECT_THROW((void)marginals_figure("wing", {outputs(0.01, 0), flat}), InvalidArgument);
}

}  // namespace
}  // namespace bocs
