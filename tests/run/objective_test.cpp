#include "bocs/run/objective.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace bocs {
namespace {

TEST(Callback, GivesTheValueAndTheTime) {
  const Space space = Space::binary(2);
  Trial trial;
  trial.x = {1, 1};
  const Outcome outcome = evaluate(callback([](const Point& x) { return 10.0 * x[0] + x[1]; }), space, trial);
  EXPECT_EQ(outcome.state, State::complete);
  EXPECT_EQ(outcome.y, 11);
  EXPECT_GE(outcome.seconds, 0);
}

TEST(Evaluate, TurnsTroubleIntoFailuresWithTheReason) {
  const Space space = Space::binary(2);
  Trial trial;
  trial.x = {1, 1};
  const auto error = [&](std::function<double(const Point&)> f) {
    const Outcome outcome = evaluate(callback(std::move(f)), space, trial);
    EXPECT_EQ(outcome.state, State::failed);
    return outcome.error;
  };
  EXPECT_EQ(error([](const Point&) -> double { throw std::runtime_error("licence expired"); }), "licence expired");
  EXPECT_NE(error([](const Point&) -> double { throw 5; }), "");
  EXPECT_NE(error([](const Point&) { return std::nan(""); }).find("nan"), std::string::npos);
  EXPECT_NE(error([](const Point&) { return 1.0 / 0.0; }).find("inf"), std::string::npos);
}

}  // namespace
}  // namespace bocs
