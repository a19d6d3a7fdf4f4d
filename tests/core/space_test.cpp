#include "bocs/core/space.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "bocs/core/error.hpp"

namespace bocs {
namespace {

Space mixed() {
  return Space({integer("crew", -1, 3), categorical("depot", {"hill", "river", "sea"}), binary("night")});
}

/// The message of the InvalidArgument that f throws; empty if it throws none.
template <class F>
std::string complaint(F&& f) {
  try {
    f();
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return {};
}

TEST(Space, BinaryNamesItsVariables) {
  const Space space = Space::binary(3);
  EXPECT_EQ(space.dimension(), 3);
  EXPECT_EQ(space[0].name, "x0");
  EXPECT_EQ(space[2].name, "x2");
  EXPECT_TRUE(space.all_binary());
  EXPECT_FALSE(mixed().all_binary());
}

TEST(Space, RefusesWhatIsNotASpace) {
  EXPECT_THROW(Space({}), InvalidArgument);
  EXPECT_THROW(Space::binary(0), InvalidArgument);
  EXPECT_NE(complaint([] { Space::binary(-4); }).find("-4"), std::string::npos);
  EXPECT_NE(complaint([] { Space({binary("a"), binary("a")}); }).find("'a'"), std::string::npos);
  EXPECT_THROW(Space({binary("")}), InvalidArgument);
  EXPECT_THROW(Space({Variable{"v", Kind::integer, 0, 0, {}}}), InvalidArgument);
  EXPECT_THROW(Space({Variable{"v", Kind::categorical, 3, 0, {"one"}}}), InvalidArgument);
  EXPECT_THROW(Space({Variable{"v", Kind::binary, 3, 0, {}}}), InvalidArgument);
  EXPECT_THROW(categorical("c", {}), InvalidArgument);
  EXPECT_THROW(categorical("c", {"a", "b", "a"}), InvalidArgument);
}

TEST(Space, IntegerRanges) {
  EXPECT_EQ(integer("i", -2, 5).levels, 8);
  EXPECT_EQ(integer("i", 4, 4).levels, 1);
  EXPECT_NE(complaint([] { integer("i", 3, 2); }).find("3"), std::string::npos);
  EXPECT_EQ(integer("i", 1, 1'000'000).levels, 1'000'000);
  EXPECT_NE(complaint([] { integer("i", 0, 1'000'000); }).find("1000001"), std::string::npos);
  EXPECT_THROW(integer("i", std::numeric_limits<int>::min(), std::numeric_limits<int>::max()), InvalidArgument);
}

TEST(Space, ContainsAndCheckAgree) {
  const Space space = mixed();
  EXPECT_TRUE(space.contains({4, 2, 1}));
  EXPECT_NO_THROW(space.check({4, 2, 1}));
  for (const Point& x : {Point{}, Point{0, 0}, Point{0, 0, 0, 0}, Point{5, 0, 0}, Point{0, 3, 0}, Point{0, 0, -1}}) {
    EXPECT_FALSE(space.contains(x));
    EXPECT_THROW(space.check(x), InvalidArgument);
  }
  EXPECT_NE(complaint([&] { space.check({0, 3, 0}); }).find("depot: level 3 is outside 0 to 2"), std::string::npos);
}

TEST(Space, Size) {
  EXPECT_DOUBLE_EQ(Space::binary(24).log2_size(), 24);
  EXPECT_DOUBLE_EQ(mixed().log2_size(), std::log2(5 * 3 * 2));
  EXPECT_TRUE(mixed().no_larger_than(30));
  EXPECT_FALSE(mixed().no_larger_than(29));
  EXPECT_FALSE(Space::binary(2000).no_larger_than(1e18));
  EXPECT_TRUE(Space({integer("fixed", 5, 5)}).no_larger_than(1));
}

TEST(Space, RandomIsUniform) {  // chi-square over the 30 points
  const Space space = mixed();
  Rng rng(8);
  constexpr int draws = 6000;
  std::map<Point, int> count;
  for (int i = 0; i < draws; ++i) {
    const Point x = space.random(rng);
    ASSERT_TRUE(space.contains(x));
    ++count[x];
  }
  ASSERT_EQ(count.size(), 30u);
  double chi2 = 0;
  for (const auto& [x, n] : count) chi2 += std::pow(n - draws / 30.0, 2) / (draws / 30.0);
  EXPECT_LT(chi2, 66.2);  // 29 degrees of freedom, p = 1e-4
}

TEST(Space, FormatAndParseAreInverse) {
  const Space space = mixed();
  EXPECT_EQ(space.format({0, 1, 1}), "-1,river,1");
  EXPECT_EQ(Space::binary(4).format({0, 1, 1, 0}), "0110");
  Rng rng(1);
  for (int i = 0; i < 50; ++i) {
    const Point x = space.random(rng);
    EXPECT_EQ(space.parse(space.format(x)), x);
  }
  EXPECT_EQ(Space::binary(4).parse("0110"), (Point{0, 1, 1, 0}));
  EXPECT_EQ(Space::binary(4).parse("0,1,1,0"), (Point{0, 1, 1, 0}));
  EXPECT_THROW(static_cast<void>(space.format({9, 9, 9})), InvalidArgument);
}

TEST(Space, ParseNamesWhatIsWrong) {
  const Space space = mixed();
  const auto of = [&](const std::string& text) { return complaint([&] { static_cast<void>(space.parse(text)); }); };
  EXPECT_NE(of("4,river,1").find("crew: '4' is not a whole number from -1 to 3"), std::string::npos);
  EXPECT_NE(of("0,lake,1").find("depot: 'lake' is not one of its levels: hill, river, sea"), std::string::npos);
  EXPECT_NE(of("0,river").find("2 entries"), std::string::npos);
  for (const char* text : {"", "x,river,1", "1.5,river,1", "1x,river,1", ",river,1", "99999999999999999999,river,1"}) {
    EXPECT_NE(of(text), "") << text;
  }
  EXPECT_THROW(static_cast<void>(Space::binary(3).parse("012")), InvalidArgument);
  EXPECT_THROW(static_cast<void>(Space::binary(3).parse("01")), InvalidArgument);
}

TEST(Point, HashSeparatesNeighbours) {
  PointSet set;
  for (int mask = 0; mask < 4096; ++mask) {
    Point x(12);
    for (int i = 0; i < 12; ++i) x[static_cast<std::size_t>(i)] = mask >> i & 1;
    set.insert(x);
  }
  EXPECT_EQ(set.size(), 4096u);
  std::set<std::size_t> hashes;
  for (const auto& x : set) hashes.insert(PointHash()(x));
  EXPECT_EQ(hashes.size(), 4096u);
  EXPECT_NE(PointHash()({0}), PointHash()({0, 0}));
}

TEST(Space, IntegersAtTheEndsOfInt) {
  constexpr int kMin = std::numeric_limits<int>::min(), kMax = std::numeric_limits<int>::max();
  const Space space({integer("low", kMin, kMin + 3), integer("high", kMax - 3, kMax)});
  const Point last{3, 3};
  EXPECT_EQ(space.parse(space.format(last)), last);
  EXPECT_EQ(space.format(last), std::to_string(kMin + 3) + "," + std::to_string(kMax));
  EXPECT_NE(complaint([&] { static_cast<void>(space.parse("0,0")); }).find("-2147483648 to -2147483645"),
            std::string::npos);
  Variable beyond = integer("beyond", kMax, kMax);
  beyond.levels = 2;
  EXPECT_NE(complaint([&] { Space({beyond}); }), "");
}

TEST(Space, RefusesMoreVariablesThanItsLimitAtOnce) {
  EXPECT_NE(complaint([] { Space::binary(2'000'000'000); }).find("1000000"), std::string::npos);
}

}  // namespace
}  // namespace bocs
