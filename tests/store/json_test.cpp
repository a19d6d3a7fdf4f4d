#include "bocs/store/json.hpp"

#include <gtest/gtest.h>

#include "bocs/base/error.hpp"
#include "bocs/numeric/rng.hpp"

namespace bocs {

namespace {

/// Same bits; any NaN equals any other.
void expect_same(double a, double b) {
  if (std::isnan(a) && std::isnan(b)) return;
  EXPECT_EQ(std::signbit(a), std::signbit(b));
  EXPECT_EQ(a, b);
}

const std::string kHostile = "a\"b'c\\d\n{\"e\": [1]}; DROP TABLE bocs_trial; -- \xC3\xA9\xE2\x98\x83 $1 %s";

TEST(StoreJson, TrialsSurviveToTheLastBit) {
  Rng rng(3, "doubles");
  const double infinity = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 200; ++i) {
    const auto any = [&] { return std::ldexp(rng.normal(), static_cast<int>(rng.below(600)) - 300); };
    Trial trial;
    trial.number = i;
    trial.state = static_cast<State>(i % 4);
    trial.x = {0, 7, static_cast<std::int32_t>(rng.below(1000))};
    trial.y = i % 5 == 0 ? kUnknown : any();
    trial.error = kHostile;
    trial.seconds = any();
    trial.metrics = {{kHostile, any()}, {"inf", infinity}, {"zero", -0.0}};
    trial.info.predicted = any();
    trial.info.lower_bound = -infinity;
    trial.info.regress_seconds = any();
    trial.info.minimize_seconds = any();
    trial.info.repairs = 3;
    trial.info.status = static_cast<Status>(i % 3);
    trial.info.how = kHostile;
    trial.info.pending = {1, 5, 9};
    trial.info.origin = static_cast<Origin>(i % 5);
    trial.info.member = kHostile;
    const Trial back = trial_from_json(trial_to_json(trial));
    EXPECT_EQ(back.number, trial.number);
    EXPECT_EQ(back.state, trial.state);
    EXPECT_EQ(back.x, trial.x);
    expect_same(back.y, trial.y);
    EXPECT_EQ(back.error, trial.error);
    expect_same(back.seconds, trial.seconds);
    ASSERT_EQ(back.metrics.size(), trial.metrics.size());
    for (const auto& [name, value] : trial.metrics) expect_same(back.metrics.at(name), value);
    expect_same(back.info.predicted, trial.info.predicted);
    expect_same(back.info.lower_bound, trial.info.lower_bound);
    expect_same(back.info.regress_seconds, trial.info.regress_seconds);
    expect_same(back.info.minimize_seconds, trial.info.minimize_seconds);
    EXPECT_EQ(back.info.repairs, trial.info.repairs);
    EXPECT_EQ(back.info.status, trial.info.status);
    EXPECT_EQ(back.info.how, trial.info.how);
    EXPECT_EQ(back.info.pending, trial.info.pending);
    EXPECT_EQ(back.info.origin, trial.info.origin);
    EXPECT_EQ(back.info.member, trial.info.member);
  }
}

TEST(StoreJson, PendingTrialsAreRanges) {
  const auto pending = [](const std::string& text) {
    return info_from_json(
               R"({"predicted":null,"lower_bound":null,"regress_seconds":0,"minimize_seconds":0,"repairs":0,)"
               R"("status":"ok","how":"","pending":)" +
               text + "}")
        .pending;
  };
  EXPECT_EQ(pending("[3,4,5,9]"), (std::vector<int>{3, 4, 5, 9}));  // as written up to version 3 of the tables
  EXPECT_EQ(pending("[[-8,-6],3,[5,8],12,13]"), (std::vector<int>{-8, -7, -6, 3, 5, 6, 7, 8, 12, 13}));
  EXPECT_THROW(pending("[[8,5]]"), StoreError);
  EXPECT_THROW(pending("[[0,2147483647]]"), StoreError);  // 8 GB of numbers
  EXPECT_THROW(pending("[[1]]"), StoreError);
  Rng rng(5, "ranges");
  for (int i = 0; i < 200; ++i) {
    Info info;
    for (int n = -20; n < 20; ++n) {
      if (rng.below(4) > 0) info.pending.push_back(n);
    }
    EXPECT_EQ(info_from_json(info_to_json(info)).pending, info.pending);
  }
  Info many;
  for (int n = 100; n < 1100; ++n) many.pending.push_back(n);
  EXPECT_LT(info_to_json(many).size(), 300U);
}

TEST(StoreJson, NonsenseIsAStoreError) {
  EXPECT_THROW(info_from_json("{"), StoreError);
  EXPECT_THROW(point_from_json("{\"a\": 1}"), StoreError);
  for (const char* point : {"[1.7]", "[4294967297]", "[-1]", "[2e20]", "[\"1\"]", "[null]", "3"}) {
    EXPECT_THROW(point_from_json(point), StoreError) << point;
  }
  EXPECT_THROW(trial_from_json("[1, 2]"), StoreError);
  EXPECT_THROW(value_from_store<State>("paused"), StoreError);
}

}  // namespace
}  // namespace bocs
