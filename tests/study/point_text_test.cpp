#include "bocs/study/point_text.hpp"

#include <gtest/gtest.h>

namespace bocs {
namespace {

TEST(PointText, SaysWhatIsSwitchedOnByName) {
  std::vector<Variable> variables;
  for (int i = 0; i < 12; ++i) variables.push_back(binary("station[" + std::to_string(i) + "]"));
  for (const char* name : {"mean radius", "worst area"})
    variables.push_back(binary("feature[" + std::string(name) + "]"));
  variables.push_back(categorical("depot", {"north", "river"}));
  variables.push_back(integer("size[0]", 1, 9));
  variables.push_back(integer("size[1]", 1, 9));
  variables.push_back(binary("pump"));
  variables.push_back(binary("spare"));
  const Space space(variables);
  Point x(static_cast<std::size_t>(space.dimension()), 0);
  for (const int on : {2, 4, 10, 12, 13, 14, 16, 17}) x[static_cast<std::size_t>(on)] = 1;
  EXPECT_EQ(point_text(space, x),
            "station: 2 4 10; feature: mean radius, worst area; depot: river; size: 1 2; pump: 1");
  const auto parts = point_parts(space, x);
  ASSERT_EQ(parts.size(), 6U);
  EXPECT_EQ(parts[5].name, "spare");
  EXPECT_TRUE(parts[5].off);
  EXPECT_EQ(point_text(Space({binary("a[0]"), binary("a[1]")}), {0, 0}), "a: none");
  EXPECT_EQ(point_text(Space({binary("a"), binary("b")}), {0, 0}), "all are 0");
}

TEST(PointText, NamesThatOnlyLookLikeArrays) {
  EXPECT_EQ(array_name("station[3]"), "station");
  EXPECT_EQ(element_name("station[3]"), "3");
  EXPECT_EQ(array_name("[3]"), "[3]");
  EXPECT_EQ(array_name("a]"), "a]");
  EXPECT_EQ(array_name("x"), "x");
  EXPECT_EQ(element_name("x"), "");
  EXPECT_EQ(point_text(Space({binary("x"), binary("x[0]"), binary("x[1]")}), {1, 0, 1}), "x: 1; x: 1");
}

}  // namespace
}  // namespace bocs
