#include <gtest/gtest.h>

#include "bocs/acquire/ascent.hpp"
#include "bocs/method/options.hpp"

namespace bocs {
namespace {

using namespace constraint;

/// f falls by weight i for each one; the process is equally unsure everywhere.
struct Linear : Posterior {
  [[nodiscard]] Prediction predict(std::span<const Point> points) const override {
    Prediction p{Vector::Zero(points.size()), Vector::Constant(static_cast<Eigen::Index>(points.size()), 0.01)};
    for (std::size_t k = 0; k < points.size(); ++k) {
      for (std::size_t i = 0; i < points[k].size(); ++i) {
        p.mean[static_cast<Eigen::Index>(k)] -= (i % 7 == 3 ? -0.01 : 0.001 * static_cast<double>(i)) * points[k][i];
      }
    }
    scored += points.size();
    return p;
  }
  mutable std::size_t scored = 0;
};

struct LinearModel : Model {
  explicit LinearModel(std::size_t& count) : scored(count) {}
  [[nodiscard]] std::unique_ptr<Posterior> fit(const Data&, const Rng&) const override {
    struct Counting : Linear {
      explicit Counting(std::size_t& count) : total(count) {}
      ~Counting() override { total += scored; }
      std::size_t& total;
    };
    return std::make_unique<Counting>(scored);
  }
  std::size_t& scored;
};

/// What expected improvement proposes after two points, and how many points it looked at.
std::pair<Point, std::size_t> search(const Task& task, const Point& first, const Point& second) {
  History history;
  for (const Point& x : {first, second}) {
    history.add({history.size(), State::complete, x, static_cast<double>(history.size()), {}, 0, {}, {}});
  }
  std::size_t scored = 0;
  const Ascent ascent(std::make_shared<LinearModel>(scored), expected_improvement(), /*patience=*/100);
  Point x = ascent.choose({task, history, 2}).x;
  return {std::move(x), scored};
}

Point best_of(int d) {
  Point x(static_cast<std::size_t>(d));
  for (int i = 0; i < d; ++i) x[static_cast<std::size_t>(i)] = i % 7 != 3 && i > 0 ? 1 : 0;
  return x;
}

TEST(Climb, ReachesTheTopOfASimpleSlopeWithFewLooksAtAllNeighbours) {
  for (const int d : {257, 1000}) {
    const auto n = static_cast<std::size_t>(d);
    const auto [x, scored] = search({Space::binary(d), 0, 0, 1}, Point(n, 0), Point(n, 1));
    Point wanted = best_of(d);
    Point found = x;
    found[0] = wanted[0] = 0;  // it counts for nothing
    EXPECT_EQ(found, wanted) << d;
    // Steepest ascents would look at d neighbours before each of about 6 d / 7 steps from the first point alone.
    EXPECT_LT(scored, n * n / 4) << d;
  }
}

TEST(Climb, KeepsConstraintsWithVeryManyNeighbours) {
  constexpr int kD = 400, kOnes = 20;
  const Space space = Space::binary(kD);
  const Task task{.space = space, .seed = 3, .constraints = Constraints(space, {exactly(kOnes, switched_on(space))})};
  Point low(kD, 0), middle(kD, 0);
  for (int i = 0; i < kOnes; ++i) low[static_cast<std::size_t>(i)] = middle[static_cast<std::size_t>(100 + i)] = 1;
  const auto [x, scored] = search(task, low, middle);
  EXPECT_TRUE(task.constraints.satisfied(x));
  double gained = 0, most = 0;
  for (int i = 0; i < kD; ++i) gained += best_of(kD)[static_cast<std::size_t>(i)] * x[i] * i;
  for (int i = kD - 1, left = kOnes; left > 0; --i) {
    most += best_of(kD)[static_cast<std::size_t>(i)] * i;
    left -= best_of(kD)[static_cast<std::size_t>(i)];
  }
  EXPECT_GT(gained, 0.99 * most);  // it looks at 2000 of 7600 swaps at a time
  EXPECT_LT(scored, 100'000u);
}

TEST(Climb, TheDefaultProposesByExpectedImprovementInLargeSpaces) {
  const Space space = Space::binary(3000);
  const Task task{space, 0, 0, 5};
  const auto method = make_bocs(space, {.initial = 5});
  History history;
  for (int n = 0; n < 6; ++n) {
    const Proposal proposal = method->propose(task, history, n);
    if (n == 5) {
      EXPECT_EQ(proposal.info.member, "ei");
      EXPECT_EQ(proposal.info.how, "expected improvement");
    }
    history.add({n, State::complete, proposal.x, std::sin(n), {}, 0, {}, {}});
  }
}

}  // namespace
}  // namespace bocs
