#include "bocs/run/point_json.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "bocs/core/error.hpp"

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
