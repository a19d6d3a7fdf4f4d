#include "bocs/space/space.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <sstream>

#include "bocs/base/error.hpp"

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
  EXPECT_THROW(categorical("c", {}), InvalidArgument);
  EXPECT_THROW(categorical("c", {"a", "b", "a"}), InvalidArgument);
}

TEST(Space, IntegerRanges) {
  EXPECT_EQ(coordinate_of(integer("i", -2, 5)).levels, 8);
  EXPECT_EQ(coordinate_of(integer("i", 4, 4)).levels, 1);
  EXPECT_NE(complaint([] { integer("i", 3, 2); }).find("3"), std::string::npos);
  EXPECT_EQ(coordinate_of(integer("i", 1, 1'000'000)).levels, 1'000'000);
  EXPECT_NE(complaint([] { integer("i", 0, 1'000'000); }).find("1000001"), std::string::npos);
  EXPECT_THROW(integer("i", std::numeric_limits<int>::min(), std::numeric_limits<int>::max()), InvalidArgument);
}

std::vector<double> values_of(const Variable& variable) {
  const Coordinate v = coordinate_of(variable);
  std::vector<double> values;
  for (int level = 0; level < v.levels; ++level) values.push_back(v.value(level));
  return values;
}

TEST(Space, RealGrids) {
  EXPECT_EQ(values_of(real("r", 0, 1, {.steps = 10})),
            (std::vector<double>{0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1}));  // the literals, not their sums
  EXPECT_EQ(values_of(real("r", -0.3, 0.6, {.step = 0.1})),
            (std::vector<double>{-0.3, -0.2, -0.1, 0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6}));
  EXPECT_EQ(values_of(real("r", 1e-3, 1e3, {.steps = 6, .log = true})),
            (std::vector<double>{0.001, 0.01, 0.1, 1, 10, 100, 1000}));
  EXPECT_EQ(values_of(real("r", 0, 1, {.steps = 3})), (std::vector<double>{0, 0.3333, 0.6667, 1}));
  EXPECT_EQ(kind_of(real("r", 5, 15, {.steps = 10})), "real");
}

TEST(Space, RealGridsAreRoundedByAFractionOfAStep) {
  const double low = 3e-5, high = 0.7;
  for (const bool log : {false, true}) {
    for (const int steps : {1, 7, 30, 1000, 10'000}) {
      const Coordinate v = coordinate_of(real("r", low, high, {.steps = steps, .log = log}));
      ASSERT_EQ(v.levels, steps + 1);
      EXPECT_EQ(v.value(0), low);
      EXPECT_EQ(v.value(steps), high);
      for (int k = 1; k < steps; ++k) {
        const auto exact = [&](double part) {
          return log ? std::exp(std::log(low) + part / steps * std::log(high / low))
                     : low + part / steps * (high - low);
        };
        EXPECT_NEAR(v.value(k), exact(k), 2.01e-4 * (exact(k) - exact(k - 1)));
        EXPECT_GT(v.value(k), v.value(k - 1));
      }
    }
  }
}

TEST(Space, IntegerGridsAndOrdinals) {
  EXPECT_EQ(values_of(integer("i", 0, 100, {.step = 25})), (std::vector<double>{0, 25, 50, 75, 100}));
  EXPECT_EQ(values_of(integer("i", -10, 10, {.steps = 4})), (std::vector<double>{-10, -5, 0, 5, 10}));
  EXPECT_EQ(values_of(integer("i", 1, 1000, {.steps = 6, .log = true})),
            (std::vector<double>{1, 3, 10, 32, 100, 316, 1000}));
  EXPECT_EQ(values_of(integer("i", 1, 8, {.log = true})), (std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8}));  // each once
  EXPECT_EQ(integer("i", 2, 7, {.step = 1}), integer("i", 2, 7));
  EXPECT_EQ(kind_of(ordinal("o", {16, 32, 64})), "integer");
  EXPECT_EQ(kind_of(ordinal("o", {0.5, 1})), "real");
  EXPECT_EQ(coordinate_of(ordinal("o", {7})).levels, 1);
}

TEST(Space, BadGridsAreRefusedWithWhatIsWrong) {
  const auto has = [](const std::string& text, const char* word) { return text.find(word) != std::string::npos; };
  EXPECT_TRUE(has(complaint([] { real("r", 1, 1); }), "low below high"));
  EXPECT_TRUE(has(complaint([] { real("r", 0, std::numeric_limits<double>::infinity()); }), "finite"));
  EXPECT_TRUE(has(complaint([] { real("r", -1e308, 1e308); }), "finite"));
  EXPECT_TRUE(has(complaint([] { real("r", 0, 1, {.log = true}); }), "low 0 with log"));
  EXPECT_TRUE(has(complaint([] { real("r", 0, 1, {.step = 0.3}); }), "step 0.3"));
  EXPECT_TRUE(has(complaint([] { real("r", 0, 1, {.step = -0.5}); }), "step -0.5"));
  EXPECT_TRUE(has(complaint([] { real("r", 0, 1, {.step = 1e-6}); }), "at most 10000"));
  EXPECT_TRUE(has(complaint([] { real("r", 0, 1, {.steps = 5, .step = 0.2}); }), "one of them"));
  EXPECT_TRUE(has(complaint([] { real("r", 1, 2, {.step = 0.2, .log = true}); }), "equal factors"));
  EXPECT_TRUE(has(complaint([] { real("r", 0, 1, {.steps = -1}); }), "steps -1"));
  EXPECT_TRUE(has(complaint([] { real("r", 1, 1 + 1e-15, {.steps = 100}); }), "different numbers"));
  EXPECT_TRUE(has(complaint([] { integer("i", 0, 10, {.step = 3}); }), "step 3"));
  EXPECT_TRUE(has(complaint([] { integer("i", 0, 10, {.step = 2.5}); }), "step 2.5"));
  EXPECT_TRUE(has(complaint([] { integer("i", 0, 10, {.steps = 4}); }), "steps 4"));
  EXPECT_TRUE(has(complaint([] { integer("i", -1, 10, {.log = true}); }), "low -1 with log"));
  EXPECT_TRUE(has(complaint([] { ordinal("o", {}); }), "'o'"));
  EXPECT_TRUE(has(complaint([] { ordinal("o", {1, 1}); }), "larger"));
  EXPECT_TRUE(has(complaint([] { ordinal("o", {2, 1}); }), "larger"));
  EXPECT_TRUE(has(complaint([] { ordinal("o", {1, std::nan("")}); }), "finite"));
}

TEST(Space, NumbersAsPeopleWriteThem) {
  const Coordinate rate = coordinate_of(real("rate", 1e-4, 0.1, {.steps = 30, .log = true}));
  for (int level = 0; level < rate.levels; ++level) {
    EXPECT_EQ(parse_level(rate, format_level(rate, level)), level);
    std::ostringstream six_digits;  // of numpy.logspace
    six_digits << 1e-4 * std::pow(10.0, level / 10.0);
    EXPECT_EQ(parse_level(rate, six_digits.str()), level);
  }
  EXPECT_EQ(format_level(rate, 0), "0.0001");
  EXPECT_EQ(format_level(rate, 1), "0.00012589");
  const Coordinate share = coordinate_of(real("share", 0, 1, {.steps = 10}));
  for (const char* text : {"0.3", ".3", "0.30000000000000004", "3e-1", " 0.3 ", "+0.3", "0.3005"}) {
    EXPECT_EQ(parse_level(share, text), 3) << text;
  }
  EXPECT_EQ(parse_level(share, "1"), 10);
  EXPECT_EQ(complaint([&] { parse_level(share, "0.317"); }),
            "share: '0.317' is not one of its 11 values from 0 to 1; the nearest are 0.3 and 0.4");
  for (const char* text : {"", "x", "nan", "1.01", "-0.01", "0.3.1", "0,3", "1e999"}) {
    EXPECT_NE(complaint([&] { parse_level(share, text); }), "") << text;
  }
  const Coordinate size = coordinate_of(ordinal("size", {16, 32, 64}));
  EXPECT_EQ(parse_level(size, "32.0"), 1);
  EXPECT_NE(complaint([&] { parse_level(size, "32.1"); }), "");
  EXPECT_NE(complaint([&] { parse_level(size, "48"); }).find("32 and 64"), std::string::npos);
  const Coordinate crew = coordinate_of(integer("crew", 1, 8)), pump = coordinate_of(binary("pump"));
  EXPECT_EQ(parse_level(crew, "3.0"), 2);
  EXPECT_NE(complaint([&] { parse_level(crew, "3.0001"); }), "");
  for (const char* text : {"1", "1.0", "true", "True", "TRUE"}) EXPECT_EQ(parse_level(pump, text), 1) << text;
  for (const char* text : {"0", "0.0", "false", "False", "-0"}) EXPECT_EQ(parse_level(pump, text), 0) << text;
  for (const char* text : {"", "2", "0.5", "yes", "truer"}) {
    EXPECT_NE(complaint([&] { parse_level(pump, text); }).find("neither"), std::string::npos) << text;
  }
  EXPECT_EQ(format_level(coordinate_of(real("r", 0, 3e5, {.steps = 3})), 1), "100000");
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

TEST(Choice, LevelsAreToldApartByTheirTextsAndKeepTheirTypes) {
  const Coordinate v = coordinate_of(choice("batch", {std::int64_t{16}, 0.5, LevelValue(), true, std::string("a,b")}));
  EXPECT_EQ(v.labels, (std::vector<std::string>{"16", "0.5", "None", "True", "a;b"}));
  EXPECT_EQ(v.typed[1], LevelValue(0.5));
  for (int level = 0; level < v.levels; ++level) EXPECT_EQ(parse_level(v, format_level(v, level)), level);
  EXPECT_EQ(parse_level(v, "16.0"), 0);
  EXPECT_EQ(parse_level(v, "null"), 2);
  EXPECT_EQ(parse_level(v, "true"), 3);
  EXPECT_EQ(parse_level(v, "a,b"), 4);
  EXPECT_NE(complaint([&] { parse_level(v, "17"); }).find("batch: '17' is not one of its levels"), std::string::npos);
  EXPECT_NE(complaint([] { choice("c", {std::int64_t{1}, std::string("1")}); }).find("'1' twice"), std::string::npos);
  EXPECT_NE(choice("c", {std::int64_t{1}}), choice("c", {std::string("1")}));
  const Coordinate close = coordinate_of(choice("c", {std::int64_t{1}, 1.0}));
  EXPECT_EQ(parse_level(close, "1.0"), 1);
  EXPECT_NE(complaint([&] { parse_level(close, "1.00"); }).find("several"), std::string::npos);
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
}

TEST(Space, RefusesMoreVariablesThanItsLimitAtOnce) {
  EXPECT_NE(complaint([] { Space::binary(2'000'000'000); }).find("1000000"), std::string::npos);
}

}  // namespace
}  // namespace bocs
