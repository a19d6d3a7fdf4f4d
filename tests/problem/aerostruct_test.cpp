// The problem made of the wing: divergences against golden data, enumeration against evaluation, refusals.
#include "bocs/problem/aerostruct/aerostruct.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <algorithm>
#include <bit>
#include <numeric>

#include "bocs/base/error.hpp"
#include "bocs/numeric/parallel.hpp"
#include "bocs/problem/aerostruct/divergence.hpp"
#include "bocs/problem/aerostruct/enumeration.hpp"
#include "golden.hpp"

namespace bocs {
namespace {

using aerostruct::Jacobian;
using aerostruct::kCouplings;

const Aerostruct& wing() {
  static const Aerostruct model;
  return model;
}

Point point_of(std::uint32_t index) {
  Point x(kCouplings);
  for (int i = 0; i < kCouplings; ++i) x[i] = index >> i & 1;
  return x;
}

/// The textbook formula, in long double.
double textbook_divergence(const Jacobian& reference, const Jacobian& cut) {
  using M = Eigen::Matrix<long double, 3, 3>;
  const auto h = reference.cast<long double>(), hx = cut.cast<long double>();
  const M s = h * h.transpose(), sx = hx * hx.transpose();
  const long double logs = std::log(sx.determinant()) - std::log(s.determinant());
  return static_cast<double>((sx.llt().solve(s).trace() - 3 + logs) / 2);
}

TEST(Aerostruct, DivergencesMatchGoldenTable) {
  const auto entries = test::golden("aerostruct.json")["kl_table"]["entries"];
  ASSERT_EQ(entries.size(), 62u);
  double worst = 0;
  for (const auto& entry : entries) {
    const std::string x = entry["x"];
    const double ours = wing().divergence(test::bits(x)), kl = entry["kl"];
    // The table was computed with the cancelling formula: its own rounding is a few 1e-15.
    EXPECT_NEAR(ours, kl, 1e-8 * kl + 5e-15) << x;
    EXPECT_NEAR(ours, entry["kl_from_oas_totals"].get<double>(), 1e-8) << x;
    if (kl > 1e-6) worst = std::max(worst, std::abs(ours - kl) / kl);
  }
  RecordProperty("worst_relative", std::to_string(worst * 1e12) + "e-12");
  EXPECT_LT(worst, 1e-8);
}

TEST(Aerostruct, AllCouplingsKeptIsExactlyZero) { EXPECT_EQ(wing().divergence(Point(kCouplings, 1)), 0); }

TEST(Aerostruct, DivergenceMatchesTextbookFormula) {
  Rng rng(1, "divergence");
  for (int repeat = 0; repeat < 200; ++repeat) {
    Jacobian h, change;
    for (double& value : h.reshaped()) value = rng.normal();
    for (double& value : change.reshaped()) value = rng.normal();
    const Jacobian hx = h + change * std::pow(10, -rng.uniform() * 4);
    const double truth = textbook_divergence(h, hx);
    EXPECT_NEAR(aerostruct::divergence(h, hx), truth, 1e-9 * truth + 1e-16);
  }
}

TEST(Aerostruct, DegenerateCovarianceHasInfiniteDivergence) {
  Jacobian h = Jacobian::Zero();
  h.leftCols<3>().setIdentity();
  Jacobian cut = h;
  EXPECT_EQ(aerostruct::divergence(h, cut), 0);
  cut.row(2).setZero();
  EXPECT_EQ(aerostruct::divergence(h, cut), std::numeric_limits<double>::infinity());
  cut.row(2) = cut.row(0) * 2 + cut.row(1);
  EXPECT_EQ(aerostruct::divergence(h, cut), std::numeric_limits<double>::infinity());
}

TEST(Aerostruct, OutputDistributionIsThatOfTheJacobian) {
  const auto data = test::golden("aerostruct.json");
  const std::string cut = "110001111111111111100";
  Jacobian j;
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 8; ++k) {
      j(i, k) = data["cut_jacobian_examples"][cut][i][k].get<double>() * data["random_inputs"]["std"][k].get<double>();
    }
  }
  const auto outputs = wing().outputs(test::bits(cut));
  const Eigen::Matrix3d covariance = j * j.transpose();
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(outputs.covariance(i, k), covariance(i, k), 1e-8 * std::sqrt(covariance(i, i) * covariance(k, k)));
    }
  }
  EXPECT_NEAR(outputs.mean[0], 0.409727484036, 1e-12);
  EXPECT_NEAR(outputs.mean[1], 107633.738098702, 1e-4);
  EXPECT_NEAR(outputs.mean[2], -0.239089010972, 1e-12);
  EXPECT_EQ(outputs.units[1], "kg");
}

TEST(Aerostruct, EnumerationMatchesEvaluation) {
  aerostruct::Inputs<double> z;
  z << 5, 248.136, 0.38, 0.84, 1e6, 70e9, 30e9, 0.03;
  const auto partials = aerostruct::standardised(aerostruct::differentiate(z, aerostruct::solve_coupled(z)),
                                                 wing().outputs(Point(kCouplings, 1)).mean.cwiseAbs(), 0.05 * z);
  const auto table = aerostruct::all_divergences(partials, 2);
  ASSERT_EQ(table.size(), std::size_t{1} << kCouplings);
  for (const double kl : table) ASSERT_TRUE(std::isfinite(kl) && kl >= 0);
  Rng rng(2, "enumeration");
  for (int repeat = 0; repeat < 5000; ++repeat) {
    const std::uint32_t index = rng.below(1u << kCouplings);
    const double value = wing().divergence(point_of(index));
    ASSERT_NEAR(table[index], value, 1e-11 * value + 1e-18) << index;
  }

  // The optimum, first asked for by several threads at once, is below everything in that table.
  const std::vector<double> l1 = {0, 1e-4, 1e-2};
  std::vector<Optimum> found(l1.size());
  const auto problem = make_aerostruct(Spec::parse("aerostruct"));
  parallel_for(static_cast<int>(l1.size()), 3, [&](int i) { found[i] = *problem.optimum(l1[i]); });
  for (std::size_t i = 0; i < l1.size(); ++i) {
    const auto kept = static_cast<double>(std::count(found[i].x.begin(), found[i].x.end(), 1));
    EXPECT_EQ(found[i].value, wing().divergence(found[i].x) + l1[i] * kept);
    for (std::uint32_t k = 0; k < table.size(); ++k) {
      ASSERT_GE(table[k] + l1[i] * std::popcount(k), found[i].value - 1e-15);
    }
  }
  EXPECT_EQ(found[0].x, Point(kCouplings, 1));
}

TEST(Aerostruct, CommonFactorOfDeviationsChangesNothing) {
  const auto problem = make_aerostruct(Spec::parse("aerostruct:flow_std=0.01,structure_std=0.01"));
  for (const char* x : {"000000000000000000000", "100110110000001000000"}) {
    EXPECT_NEAR(problem.f(test::bits(x)), wing().divergence(test::bits(x)), 1e-12);
  }
}

TEST(Aerostruct, ProblemIsBinaryWithNamedCouplings) {
  const auto problem = make_aerostruct(Spec::parse("aerostruct"));
  EXPECT_EQ(problem.name, "aerostruct");
  EXPECT_EQ(problem.sense, Sense::minimize);
  EXPECT_EQ(problem.space.dimension(), 21);
  EXPECT_EQ(problem.space[6].name, "force6");
  EXPECT_EQ(problem.space[7].name, "moment0");
  EXPECT_EQ(problem.space[20].name, "deflection6");
  EXPECT_EQ(problem.f(Point(kCouplings, 0)), wing().divergence(Point(kCouplings, 0)));
  EXPECT_THROW(problem.f(Point(20, 1)), InvalidArgument);
  EXPECT_EQ(problem.picture(test::bits("100000001000000000001")),
            "station     y/m  force  moment  deflection\n"
            "0 tip    -29.38  keep   -       -\n"
            "1        -28.64  -      keep    -\n"
            "2        -26.47  -      -       -\n"
            "3        -22.97  -      -       -\n"
            "4        -18.32  -      -       -\n"
            "5        -12.75  -      -       -\n"
            "6         -6.54  -      -       keep\n"
            "7 root     0.00  clamped\n"
            "kept 3 of 21\n");
}

void expect_refused(const std::string& spec, const std::string& named) {
  try {
    make_aerostruct(Spec::parse(spec));
    FAIL() << spec << " was accepted";
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find(named), std::string::npos) << error.what();
  }
}

TEST(Aerostruct, ImpossibleWingsAreRefusedByName) {
  expect_refused("aerostruct:thickness=0.2", "thickness=0.2:");
  expect_refused("aerostruct:density=0", "density=0");
  expect_refused("aerostruct:density=-1", "density=-1");
  expect_refused("aerostruct:mach=nan", "mach=nan");
  expect_refused("aerostruct:alpha=-8", "alpha=-8");
  expect_refused("aerostruct:youngs_modulus=1e9,shear_modulus=1e9", "does not settle");
  expect_refused("aerostruct:flow_std=0", "flow_std=0");
  expect_refused("aerostruct:chord=3", "chord");
  AerostructOptions options;
  options.youngs_modulus = -1;
  EXPECT_THROW(Aerostruct{options}, InvalidArgument);
}

/// Whatever wing the options allow, it is refused or gives finite values or a clear failure.
TEST(Aerostruct, EveryAllowedWingIsRefusedOrFinite) {
  Rng rng(3, "options");
  int accepted = 0;
  for (int repeat = 0; repeat < 40; ++repeat) {
    const auto within = [&](double low, double high) { return low * std::pow(high / low, rng.uniform()); };
    AerostructOptions options;
    options.alpha = -10 + 25 * rng.uniform();
    options.airspeed = within(10, 1000);
    options.density = within(1e-3, 10);
    options.mach = within(0.01, 1);
    options.reynolds = within(1e4, 1e8);
    options.youngs_modulus = within(1e9, 1e12);
    options.shear_modulus = within(1e9, 1e12);
    options.thickness = within(1e-4, 1);
    options.flow_std = within(1e-6, 1);
    options.structure_std = within(1e-6, 1);
    try {
      const Aerostruct model(options);
      ++accepted;
      for (int i = 0; i < 20; ++i) EXPECT_GE(model.divergence(point_of(rng.below(1u << kCouplings))), 0);  // not NaN
      EXPECT_EQ(model.divergence(Point(kCouplings, 1)), 0);
    } catch (const InvalidArgument&) {
    }
  }
  EXPECT_GT(accepted, 5);
}

TEST(Aerostruct, VanishingVarianceIsAClearFailure) {
  // At zero angle of attack its deviation is zero too; without deflections nothing is left to move the lift
  // coefficient.
  const auto problem = make_aerostruct(Spec::parse("aerostruct:alpha=0"));
  try {
    problem.f(Point(kCouplings, 0));
    FAIL() << "an infinite divergence was returned";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("000000000000000000000"), std::string::npos) << error.what();
  }
  EXPECT_EQ(problem.f(Point(kCouplings, 1)), 0);
  // The optimum is among the points that have a value.
  const auto optimum = problem.optimum(1e-2);
  EXPECT_EQ(optimum->value, problem.f(optimum->x) + 1e-2 * std::accumulate(optimum->x.begin(), optimum->x.end(), 0));
  EXPECT_LE(optimum->value, 1e-2 * kCouplings);
}

}  // namespace
}  // namespace bocs
