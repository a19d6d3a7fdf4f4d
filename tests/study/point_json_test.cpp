#include "bocs/study/point_json.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "bocs/base/error.hpp"

namespace bocs {
namespace {

const Space kSpace({binary("a \"b\"\n"), integer("crew", -2, 5), categorical("depot", {"no\"rth", "ü\\"})});

TEST(PointJson, IsAnObjectInTheOrderOfTheVariables) {
  EXPECT_EQ(named_point_json(kSpace, {1, 0, 0}), R"({"a \"b\"\n":1,"crew":-2,"depot":"no\"rth"})");
}

TEST(PointJson, IsReadBackInAnyOrder) {
  Rng rng(1, "points");
  for (int i = 0; i < 50; ++i) {
    const Point x = kSpace.random(rng);
    const std::string text = named_point_json(kSpace, x);
    EXPECT_EQ(point_from_named_json(kSpace, text), x);
    EXPECT_EQ(point_from_named_json(kSpace, nlohmann::json::parse(text).dump(2)), x);  // sorted by name
  }
  EXPECT_EQ(point_from_named_json(Space::binary(3), R"({"x2": false, "x0": true, "x1": "1"})"), (Point{1, 1, 0}));
}

TEST(PointJson, LevelsHaveTheirTypes) {
  const std::string text = "a,b";
  const Space space({choice("v", {std::int64_t{64}, LevelValue(), std::string("null"), true, text, 1.0})});
  const std::vector<std::string> written{"64", "null", R"("null")", "true", R"("a,b")", "1.0"};
  for (int level = 0; level < 6; ++level) {
    const std::string json = R"({"v":)" + written[level] + "}";
    EXPECT_EQ(named_point_json(space, {level}), json);
    EXPECT_EQ(point_from_named_json(space, json), Point{level});
  }
  EXPECT_EQ(point_from_named_json(space, R"({"v": "64"})"), Point{0});
  EXPECT_EQ(point_from_named_json(space, R"({"v": 64.0})"), Point{0});
  EXPECT_EQ(point_from_named_json(space, R"({"v": 1})"), Point{5});
  EXPECT_EQ(named_point_json(Space({choice("f", {Unstorable{"<function f>"}})}), {0}), R"({"f":"<function f>"})");
  const Variable old = variable_from("v", Value::Map{{"kind", "categorical"}, {"labels", Value::List{"64", "None"}}});
  EXPECT_EQ(named_point_json(Space({old}), {0}), R"({"v":"64"})");
  EXPECT_EQ(point_from_named_json(Space({old}), R"({"v": 64})"), Point{0});
  EXPECT_THROW(point_from_named_json(Space({old}), R"({"v": null})"), InvalidArgument);
}

TEST(PointJson, MistakesAreNamed) {
  const Space space({binary("a"), integer("crew", -2, 5)});
  const auto refused = [&](const char* text, const std::string& word) {
    try {
      point_from_named_json(space, text);
      ADD_FAILURE() << "accepted: " << text;
    } catch (const InvalidArgument& error) {
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    }
  };
  refused(R"({"a": 1})", "crew");
  refused(R"({"a": 1, "crew": 3, "other": 1})", "other");
  refused(R"({"a": 2, "crew": 3})", "2");
  refused(R"({"a": 1, "crew": 3.5})", "3.5");
  refused(R"({"a": 1, "crew": true})", "true");
  refused(R"({"a": 1, "crew": 4294967295})", "4294967295");
  refused(R"({"a": null, "crew": 3})", "null");
  refused("[1, 3]", "object");
  refused("{", "object");
}

}  // namespace
}  // namespace bocs
