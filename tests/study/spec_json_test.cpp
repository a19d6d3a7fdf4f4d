#include "bocs/study/spec_json.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "bocs/base/error.hpp"

namespace bocs {

using namespace constraint;

namespace {

const std::string kHostile = "a\"b'c\\d\n{\"e\": [1]}; DROP TABLE bocs_trial; -- \xC3\xA9\xE2\x98\x83 $1 %s";

TEST(SpecJson, RulesAreKeptAsTexts) {
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

TEST(SpecJson, TheStopRuleSurvivesAndMayBeMissing) {
  StudySpec spec{"until", {Space({binary("b")}), 0, 0, 1}};
  EXPECT_EQ(spec_from_json(spec_to_json(spec)).until, std::nullopt);
  spec.until = StopRule{0.25};
  EXPECT_EQ(spec_from_json(spec_to_json(spec)).until, StopRule{0.25});
}

TEST(SpecJson, GoalsAndLimitsSurvive) {
  StudySpec spec{"goals", {Space({integer("m", 1, 9), binary("b")}), 0, 0, 1}};
  const StudySpec plain = spec_from_json(spec_to_json(spec));  // as older programs wrote it: without the keys
  EXPECT_TRUE(plain.task.goals.empty() && plain.task.outcomes.empty());
  EXPECT_EQ(spec_to_json(spec).find("outcomes"), std::string::npos);
  Goal price = known_goal(spec.task.space, kHostile, "3*m + b", Sense::maximize);
  price.reference = 0.1 + 0.2;
  spec.task.goals = {{"error"}, price};
  spec.task.outcomes = {{kHostile, -std::numeric_limits<double>::infinity(), 1.0 / 3}, {"growth", 1e-300, 1e300}};
  const StudySpec back = spec_from_json(spec_to_json(spec));
  EXPECT_EQ(differences(spec, back), "");
  EXPECT_EQ(back.task.outcomes, spec.task.outcomes);
  ASSERT_EQ(back.task.goals.size(), 2U);
  EXPECT_TRUE(std::isnan(back.task.goals[0].reference) && back.task.goals[0].known == nullptr);
  EXPECT_EQ(back.task.goals[1].name, kHostile);
  EXPECT_EQ(back.task.goals[1].sense, Sense::maximize);
  EXPECT_EQ(back.task.goals[1].reference, 0.1 + 0.2);
  EXPECT_EQ((*back.task.goals[1].known)({3, 1}), 13);
  StudySpec other = spec;
  other.task.goals[1].sense = Sense::minimize;
  EXPECT_NE(differences(spec, other), "");
  other = spec;
  other.task.outcomes[0].high = 0.3;
  EXPECT_NE(differences(spec, other), "");
}

TEST(SpecJson, SpecsSurvive) {
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

TEST(SpecJson, LevelsKeepTheirTypes) {
  const std::vector<LevelValue> levels{
      LevelValue(), true, std::int64_t{63}, 64.5, 1.0, std::string("64"), Unstorable{"<function f>"}};
  const StudySpec spec{"typed", {Space({choice("v", levels)})}};
  const std::string text = spec_to_json(spec);
  EXPECT_NE(text.find(R"("levels":[null,true,63,64.5,1.0,"64",{"text":"<function f>"}])"), std::string::npos) << text;
  EXPECT_EQ(spec_from_json(text).task.space[0].typed, levels);
  EXPECT_EQ(differences(spec, spec_from_json(text)), "");
}

TEST(SpecJson, AStudyOfVersion02HasLevelsOfUnknownType) {
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

TEST(SpecJson, KeepsEveryGrid) {
  const Space space({integer("plain", -3, 5), integer("even", 0, 100, {.step = 2}),
                     integer("batch", 1, 4096, {.log = true}), real("rate", 1e-5, 0.1, {.steps = 40, .log = true}),
                     real("whole", 0, 10, {.steps = 10}), ordinal("size", {16, 32, 64}), ordinal("share", {0.1, 0.5})});
  const StudySpec back = spec_from_json(spec_to_json({"grids", {space}}));
  EXPECT_EQ(back.task.space.variables(), space.variables());
  EXPECT_EQ(kind_of(back.task.space.variables()[4]), "real");  // though all its values are whole
}

TEST(SpecJson, NonsenseIsAStoreError) {
  EXPECT_THROW(spec_from_json("{"), StoreError);
  EXPECT_THROW(spec_from_json("{}"), StoreError);
}

}  // namespace
}  // namespace bocs
