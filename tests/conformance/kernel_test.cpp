// The checks of kernels and scores (bocs/testing): ours pass, and every fault is found.

#include <gtest/gtest.h>

#include "bocs/testing/kernel.hpp"
#include "bocs/testing/score.hpp"

namespace bocs {
namespace {

const Space kSpace({binary("a"), integer("n", -2, 5), categorical("kind", {"x", "y", "z"}), binary("b")});

/// exp(-theta * distance), but for one fault each.
struct Faulty : Kernel {
  enum class Fault { none, size, asymmetric, indefinite, gradient, defaults };
  explicit Faulty(Fault given) : fault(given) {}
  [[nodiscard]] Vector defaults() const override { return Vector::Constant(1, fault == Fault::defaults ? -1 : 0.7); }
  void column(std::span<const Point> data, const Point& x, const Vector& theta, double* result) const override {
    for (const Point& z : data) {
      double distance = 0;
      for (std::size_t i = 0; i < x.size(); ++i) distance += x[i] != z[i] ? 1 : 0;
      double value = std::exp(-theta[0] * distance);
      if (fault == Fault::size) value *= 2;
      if (fault == Fault::asymmetric && z > x) value /= 2;
      if (fault == Fault::indefinite) value = distance == 0 ? 1 : -0.9;
      *result++ = value;
    }
  }
  void gradient(std::span<const Point> data, const Point& x, const Vector& theta, const double* weights,
                Vector& result) const override {
    Kernel::gradient(data, x, theta, weights, result);
    if (fault == Fault::gradient) result[0] += 1;
  }
  Fault fault;
};

TEST(CheckKernel, PassesOursAndFindsEveryFault) {
  using Fault = Faulty::Fault;
  EXPECT_EQ(testing::check_kernel(*default_kernel(kSpace), kSpace), std::vector<std::string>{});
  EXPECT_EQ(testing::check_kernel(Faulty(Fault::none), kSpace), std::vector<std::string>{});
  for (const auto& [fault, word] : std::vector<std::pair<Fault, std::string>>{{Fault::size, "not 1"},
                                                                              {Fault::asymmetric, "symmetric"},
                                                                              {Fault::indefinite, "semidefinite"},
                                                                              {Fault::gradient, "gradient"},
                                                                              {Fault::defaults, "positive"}}) {
    const auto broken = testing::check_kernel(Faulty(fault), kSpace);
    ASSERT_FALSE(broken.empty()) << word;
    EXPECT_NE(broken.front().find(word), std::string::npos) << broken.front();
  }
}

TEST(CheckScore, PassesOursAndFindsEveryFault) {
  EXPECT_EQ(testing::check_score(expected_improvement()), std::vector<std::string>{});
  const auto mean_only = [](double mean, double, const ScoreContext&) { return -mean; };
  EXPECT_EQ(testing::check_score({"mean", mean_only, true}), std::vector<std::string>{});
  EXPECT_EQ(testing::check_score({"", mean_only}).size(), 1u);
  EXPECT_EQ(testing::check_score({"none"}).size(), 1u);
  const auto careful = [](double mean, double variance, const ScoreContext&) { return -mean - variance; };
  EXPECT_EQ(testing::check_score({"careful", careful}), std::vector<std::string>{});
  EXPECT_EQ(testing::check_score({"careful", careful, true}).size(), 1u);
  double calls = 0;
  EXPECT_EQ(testing::check_score({"stateful", [&](double, double, const ScoreContext&) { return ++calls; }}).size(),
            1u);
  EXPECT_EQ(testing::check_score(
                {"few", {}, false, [](const Vector&, const Vector&, const ScoreContext&) { return Vector(1); }})
                .size(),
            1u);
}

}  // namespace
}  // namespace bocs
