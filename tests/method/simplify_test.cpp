#include "bocs/method/simplify.hpp"

#include <gtest/gtest.h>

#include "bocs/base/error.hpp"
#include "bocs/poly/polynomial.hpp"
#include "bocs/run/optimizer.hpp"
#include "bocs/run/work.hpp"

namespace bocs {
namespace {

/// Four changes help, two of them together, one helps a little, the others are for the worse; from the present setting
/// 1 0 1 0 1 0 ...
const Point kPresent{1, 0, 1, 0, 1, 0, 1, 0, 1, 0};

double cost(const Point& x) {
  const auto changed = [&](std::size_t i) { return x[i] != kPresent[i] ? 1.0 : 0.0; };
  const double worse = 0.4 * changed(1) + 0.7 * changed(2) + 0.9 * changed(4) + 0.6 * changed(5) + 0.8 * changed(8);
  return 20 - 5 * changed(0) - 3 * changed(3) - 4 * changed(6) * changed(7) - 0.05 * changed(9) + worse;
}

Task task_with_present(double l1 = 0) {
  Task task{Space::binary(10), l1, 0, 4};
  task.present = kPresent;
  return task;
}

/// The true answer: what is left when the named coordinates are as in the present setting.
Point changed_at(const std::vector<std::size_t>& coordinates) {
  Point x = kPresent;
  for (const std::size_t i : coordinates) x[i] = 1 - x[i];
  return x;
}

TEST(PresentSetting, IsTheFirstTrialAndWhatThePenaltyCountsFrom) {
  Optimizer optimizer(task_with_present(0.5), "bocs");
  EXPECT_EQ(optimizer.ask().x, kPresent);
  EXPECT_NE(optimizer.ask().x, kPresent);
  EXPECT_EQ(penalty(optimizer.task(), kPresent), 0);
  EXPECT_EQ(penalty(optimizer.task(), changed_at({0, 1, 9})), 1.5);

  Optimizer known(task_with_present(), "random");  // measured before: no need to begin with it
  known.tell(kPresent, 20.0);
  EXPECT_NE(known.ask().x, kPresent);
}

TEST(PresentSetting, ThePenaltyOfAPolynomialIsThatOfThePoints) {
  const Space space({binary("a"), binary("b"), integer("n", 2, 6), categorical("kind", {"x", "y", "z"})});
  Task task{space, 0.25, 0.5, 1};
  task.present = {1, 0, 3, 2};
  const auto basis = std::make_shared<const Basis>(space, BasisOptions{2});
  Polynomial f(basis, Vector::Zero(basis->size()), 0.0);
  f.add_penalty(task);
  Rng rng(1, "present");
  for (int k = 0; k < 50; ++k) {
    const Point x = space.random(rng);
    EXPECT_NEAR(f(x), penalty(task, x), 1e-12);
  }
  task.present = {1, 0, 9, 2};
  EXPECT_THROW(task.check(), InvalidArgument);
}

TEST(Simplify, KeepsTheChangesThatMatterAndNoOthers) {
  Optimizer optimizer(task_with_present(), "bocs");
  work(optimizer, callback(cost), {.trials = 90});
  const Simplification simple = simplify(optimizer.method(), optimizer.task(), optimizer.history(), 0.2);
  EXPECT_EQ(simple.x, changed_at({0, 3, 6, 7}));
  EXPECT_EQ(simple.kept(), 4);
  EXPECT_NEAR(simple.loss, cost(simple.x) - cost(simple.answer), 0.3);
  for (const auto& change : simple.changes) {
    EXPECT_EQ(change.kept, change.low > 1) << change.name;
    EXPECT_EQ(change.kept, change.cost > 0.2) << change.name;
  }
  // All that is lost may be nothing: then the small effect stays, too.
  EXPECT_EQ(simplify(optimizer.method(), optimizer.task(), optimizer.history(), 100).kept(), 0);
}

TEST(Simplify, MeasurementsDecideWhatIsInDoubt) {
  Optimizer optimizer(task_with_present(), "bocs");
  work(optimizer, callback(cost), {.trials = 40});
  const auto simplified = [&] { return simplify(optimizer.method(), optimizer.task(), optimizer.history(), 0.1); };
  int confirmed = 0;
  for (Simplification simple = simplified(); !simple.next.empty() && confirmed < 40; simple = simplified()) {
    optimizer.tell(simple.next, cost(simple.next));
    ++confirmed;
  }
  const Simplification simple = simplified();
  ASSERT_TRUE(simple.measured);
  EXPECT_LE(simple.loss, 0.1);
  EXPECT_EQ(simple.loss, cost(simple.x) - cost(simple.answer));
  for (const auto& change : simple.changes) {
    if (!change.kept) continue;
    EXPECT_TRUE(change.measured) << change.name;
    EXPECT_GT(cost(simple.answer) + 0.1, cost(simple.x));
    Point undone = simple.x;
    for (const int i : change.coordinates) undone[static_cast<std::size_t>(i)] = kPresent[static_cast<std::size_t>(i)];
    EXPECT_EQ(change.cost, cost(undone) - cost(simple.x)) << change.name;
    EXPECT_GT(change.cost, 0.1 - simple.loss) << change.name;
  }
}

TEST(Simplify, RefusesWhatItCannotDo) {
  Optimizer optimizer({Space::binary(4), 0, 0, 1}, "bocs");
  work(optimizer, callback([](const Point& x) { return 1.0 * x[0]; }), {.trials = 8});
  EXPECT_THROW(simplify(optimizer.method(), optimizer.task(), optimizer.history(), 0), InvalidArgument);
  const Task task = task_with_present();
  EXPECT_THROW(simplify(*make_method("bocs", task.space), task, {}, 0), InvalidArgument);
  EXPECT_THROW(simplify(*make_method("bocs", task.space), task, optimizer.history(), -1), InvalidArgument);
  EXPECT_EQ(parse_loss("1%", -250), 2.5);
  EXPECT_EQ(parse_loss("0.5", 7), 0.5);
  for (const char* text : {"", "%", "-1", "x", "1 %%", "nan"})
    EXPECT_THROW(parse_loss(text, 1), InvalidArgument) << text;
}

}  // namespace
}  // namespace bocs
