#include "bocs/store/json.hpp"

#include <gtest/gtest.h>

#include "bocs/base/error.hpp"
#include "bocs/numeric/rng.hpp"

namespace bocs {

using namespace constraint;

namespace {

/// Same bits; any NaN equals any other.
void expect_same(double a, double b) {
  if (std::isnan(a) && std::isnan(b)) return;
  EXPECT_EQ(std::signbit(a), std::signbit(b));
  EXPECT_EQ(a, b);
}

const std::string kHostile = "a\"b'c\\d\n{\"e\": [1]}; DROP TABLE bocs_trial; -- \xC3\xA9\xE2\x98\x83 $1 %s";

TEST(StoreJson, RulesAreKeptAsTexts) {
  StudySpec spec{"rules", {Space({integer("m", 1, 9), integer("k", 1, 9), categorical("kind", {"x", "y"})}), 0, 0, 1}};
  Constraint table = allowed({"m", "kind"}, {{"1", "x"}, {"2", "y"}});
  table.text = "allowed: pairs.csv";
  spec.task.constraints = Constraints(spec.task.space, {rule("m*k <= 12"), table, rule("m + k <= 7")});
  const std::string json = spec_to_json(spec);
  EXPECT_NE(json.find(R"("language":1,"rule":"m*k <= 12")"), std::string::npos) << json;
  const StudySpec back = spec_from_json(json);
  EXPECT_EQ(back.task.constraints.list(), spec.task.constraints.list());
  EXPECT_EQ(differences(spec, back), "");
  // A linear rule is the sum that 0.2 wrote.
  StudySpec old = spec;
  old.task.constraints = Constraints(spec.task.space, {rule("m*k <= 12"), table, linear({{"m"}, {"k"}}, "<=", 7)});
  EXPECT_EQ(differences(spec, old), "");
  old.task.constraints = Constraints(spec.task.space, {rule("m*k <= 14"), table, linear({{"m"}, {"k"}}, "<=", 7)});
  EXPECT_EQ(differences(spec, old), "constraints ('m*k <= 12' is gone; 'm*k <= 14' is new)");
  std::string newer = json;
  newer.replace(newer.find("\"language\":1"), 12, "\"language\":2");
  EXPECT_THROW(spec_from_json(newer), StoreError);
}

TEST(StoreJson, SpecsSurvive) {
  StudySpec spec{kHostile,
                 {Space({binary(kHostile), integer("n", -3, 8), categorical("k", {"red", kHostile, "true", "1"})}),
                  0.1 + 0.2, 1e-300, 0xFFFFFFFFFFFFFFFFULL}};
  spec.task.constraints = Constraints(spec.task.space, {linear({{"n", {}, 0.1}, {"k", "red", -2}}, "<=", 1.0 / 3),
                                                        forbidden({{kHostile, "1"}, {"k", kHostile}})});
  spec.method = "bocs:order=2,initial=7";
  spec.sense = Sense::maximize;
  spec.trials = 200;
  spec.parallel = 3;
  spec.attempts = 4;
  spec.objective = {{"sh", "-c", kHostile, ""}, 0.1, 2};
  spec.labels = {{kHostile, kHostile}, {"", ""}};

  const StudySpec back = spec_from_json(spec_to_json(spec));
  EXPECT_EQ(back.name, spec.name);
  ASSERT_EQ(back.task.space.dimension(), 3);
  EXPECT_EQ(back.task.space.variables(), spec.task.space.variables());
  EXPECT_EQ(back.task.constraints.list(), spec.task.constraints.list());
  EXPECT_EQ(back.task.l1, spec.task.l1);
  EXPECT_EQ(back.task.l2, spec.task.l2);
  EXPECT_EQ(back.task.seed, spec.task.seed);
  EXPECT_EQ(back.method, spec.method);
  EXPECT_EQ(back.sense, spec.sense);
  EXPECT_EQ(back.trials, spec.trials);
  EXPECT_EQ(back.parallel, spec.parallel);
  EXPECT_EQ(back.attempts, spec.attempts);
  EXPECT_EQ(back.objective, spec.objective);
  EXPECT_EQ(back.labels, spec.labels);
  EXPECT_EQ(spec_to_json(back), spec_to_json(spec));
}

TEST(Json, LevelsKeepTheirTypes) {
  const std::vector<LevelValue> levels{
      LevelValue(), true, std::int64_t{63}, 64.5, 1.0, std::string("64"), Unstorable{"<function f>"}};
  const StudySpec spec{"typed", {Space({choice("v", levels)})}};
  const std::string text = spec_to_json(spec);
  EXPECT_NE(text.find(R"("levels":[null,true,63,64.5,1.0,"64",{"text":"<function f>"}])"), std::string::npos) << text;
  EXPECT_EQ(spec_from_json(text).task.space[0].typed, levels);
  EXPECT_EQ(differences(spec, spec_from_json(text)), "");
}

TEST(Json, AStudyOfVersion02HasLevelsOfUnknownType) {
  const auto spec = [](const char* key, const char* levels) {
    StudySpec plain{"s", {Space({categorical("v", {"16", "None"})})}};
    std::string text = spec_to_json(plain);
    const std::string written = R"("levels":["16","None"])";
    return spec_from_json(text.replace(text.find(written), written.size(), std::string(key) + levels));
  };
  const StudySpec old = spec(R"("labels":)", R"(["16","None"])");
  EXPECT_EQ(old.task.space[0].labels, (std::vector<std::string>{"16", "None"}));
  EXPECT_TRUE(old.task.space[0].typed.empty());
  EXPECT_NE(spec_to_json(old).find(R"("labels":["16","None"])"), std::string::npos);  // and it stays one
  const StudySpec typed = spec(R"("levels":)", R"([16,null])"), texts = spec(R"("levels":)", R"(["16","None"])");
  EXPECT_EQ(differences(old, typed), "");
  EXPECT_EQ(differences(old, texts), "");
  EXPECT_EQ(differences(texts, typed), "variables (v has other levels)");
  EXPECT_EQ(differences(old, spec(R"("levels":)", "[17,null]")),
            "variables (v was categorical 16, None, is categorical 17, None)");
}

TEST(Json, KeepsEveryGrid) {
  const Space space({integer("plain", -3, 5), integer("even", 0, 100, {.step = 2}),
                     integer("batch", 1, 4096, {.log = true}), real("rate", 1e-5, 0.1, {.steps = 40, .log = true}),
                     real("whole", 0, 10, {.steps = 10}), ordinal("size", {16, 32, 64}), ordinal("share", {0.1, 0.5})});
  const StudySpec back = spec_from_json(spec_to_json({"grids", {space}}));
  EXPECT_EQ(back.task.space.variables(), space.variables());
  EXPECT_EQ(kind_of(back.task.space.variables()[4]), "real");  // though all its values are whole
}

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
  EXPECT_THROW(spec_from_json("{"), StoreError);
  EXPECT_THROW(spec_from_json("{}"), StoreError);
  EXPECT_THROW(point_from_json("{\"a\": 1}"), StoreError);
  for (const char* point : {"[1.7]", "[4294967297]", "[-1]", "[2e20]", "[\"1\"]", "[null]", "3"}) {
    EXPECT_THROW(point_from_json(point), StoreError) << point;
  }
  EXPECT_THROW(trial_from_json("[1, 2]"), StoreError);
  EXPECT_THROW(value_from_store<State>("paused"), StoreError);
}

}  // namespace
}  // namespace bocs
