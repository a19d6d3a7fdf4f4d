#include "bocs/problem/maxsat.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "bocs/base/error.hpp"
#include "paths.hpp"
#include "problem/brute_force.hpp"
#include "temporary_folder.hpp"

namespace bocs {
namespace {

const std::string kSmall = std::string("maxsat:file=") + BOCS_TEST_DATA + "/small.wcnf";
const std::string kCut = std::string("maxsat:file=") + BOCS_TEST_DATA + "/small_cut.wcnf";

Wcnf parse(const std::string& text) {
  std::istringstream stream(text);
  return read_wcnf(stream, "test.wcnf");
}

TEST(Maxsat, ReadsHeaderCommentsAndClauses) {
  const Wcnf formula = parse("c text\np wcnf 3 2 9\n\n  c more\n2.5 -1 3 0\r\n9 2 0\n");
  EXPECT_EQ(formula.variables, 3);
  ASSERT_EQ(formula.clauses.size(), 2u);
  EXPECT_EQ(formula.clauses[0].weight, 2.5);
  EXPECT_EQ(formula.clauses[0].literals, (std::vector<int>{-1, 3}));
  EXPECT_EQ(formula.clauses[1].literals, (std::vector<int>{2}));
}

// The format since 2022: no header, and an h for hard clauses, which then outweigh all others together.
TEST(Maxsat, ReadsFilesWithoutAHeader) {
  const Wcnf formula = parse("c text\nh 1 -4 0\n2.5 -1 3 0\n h 2 0\n4 -2 0\n");
  EXPECT_EQ(formula.variables, 4);
  ASSERT_EQ(formula.clauses.size(), 4u);
  EXPECT_EQ(formula.clauses[0].weight, 7.5);
  EXPECT_EQ(formula.clauses[0].literals, (std::vector<int>{1, -4}));
  EXPECT_EQ(formula.clauses[1].weight, 2.5);
  EXPECT_EQ(formula.clauses[2].weight, 7.5);
  EXPECT_EQ(formula.clauses[3].weight, 4);
}

TEST(Maxsat, ErrorsNameFileAndLine) {
  const std::pair<const char*, const char*> bad[] = {
      {"1 1 0\np wcnf 1 1\n", "test.wcnf, line 2"},    // a late header
      {"p wcnf 2 1\nhard 1 0\n", "line 2"},            // neither h nor a weight
      {"h 1 2\n", "test.wcnf, line 1"},                // no final 0
      {"1 100001 0\n", "test.wcnf, line 1"},           // too many variables
      {"c\np cnf 3 2\n", "test.wcnf, line 2"},         // unweighted
      {"p wcnf 0 1\n", "test.wcnf, line 1"},           // no variables
      {"p wcnf 2 1\n1 3 0\n", "test.wcnf, line 2"},    // literal out of range
      {"p wcnf 2 1\n1 1\n", "test.wcnf, line 2"},      // no final 0
      {"p wcnf 2 1\n1 1 0 2\n", "test.wcnf, line 2"},  // text after it
      {"p wcnf 2 1\n1 x 0\n", "test.wcnf, line 2"},    // not a number
      {"p wcnf 2 1\n-1 1 0\n", "test.wcnf, line 2"},   // negative weight
      {"p wcnf 2 1\n1 0\n", "test.wcnf, line 2"},      // no literals
      {"p wcnf 2 2\n1 1 0\n", "announces 2 clauses"},  // too few
      {"c nothing\n", "no clauses"},
  };
  for (const auto& [text, expected] : bad) {
    try {
      parse(text);
      ADD_FAILURE() << "accepted: " << text;
    } catch (const InvalidArgument& error) {
      EXPECT_NE(std::string(error.what()).find(expected), std::string::npos) << error.what();
    }
  }
}

TEST(Maxsat, ValueIsMinusTheSatisfiedWeight) {
  const Problem problem = make_problem(kSmall + ",normalise=false", 0);
  // By hand: with all false only 1 v 2 v 3 (100), 4 (7), 2 v 5 (2.5) and 3 v 4 v -5 are concerned; the last one holds.
  const double all = 100 + 5 + 4 + 3 + 7 + 2 + 6 + 6 + 1 + 2.5 + 3 + 4;
  EXPECT_DOUBLE_EQ(problem.f(Point(6, 0)), -(all - 100 - 7 - 2.5));
  EXPECT_EQ(problem.space[0].name, "x1");
}

// Ring 1-2-3-4-5 with weights 3 4 2 5 6 and chord 2-4 of weight 1. The pentagon and the triangle 2-3-4 are odd, so each
// has an uncut edge; leaving 3-4 alone, of weight 2, is the cheapest way. Each edge has two clauses: one holds always,
// both hold if it is cut. The weights sum to 21.
TEST(Maxsat, BestCutLeavesTheLightestEdge) {
  const Problem problem = make_problem(kCut + ",normalise=false", 0);
  EXPECT_DOUBLE_EQ(problem.f({1, 0, 1, 0, 1}), -(21 + 3 + 4 + 2 + 5));
  EXPECT_DOUBLE_EQ(problem.f({1, 0, 1, 1, 0}), -(21 + 21 - 2));
  EXPECT_DOUBLE_EQ(problem.optimum(0)->value, -(21 + 21 - 2));
}

TEST(Maxsat, StandardisedWeightsHaveMeanZeroAndDeviationOne) {
  const Problem plain = make_problem(kSmall + ",normalise=false", 0);
  const Problem standard = make_problem(kSmall, 0);
  const double weights[] = {100, 5, 4, 3, 7, 2, 6, 6, 1, 2.5, 3, 4};
  double mean = 0, square = 0;
  for (const double w : weights) mean += w / 12, square += w * w / 12;
  const double deviation = std::sqrt(square - mean * mean);
  // All false: 9 clauses hold, of weight 34 (see above).
  EXPECT_NEAR(standard.f(Point(6, 0)), -(34 - 9 * mean) / deviation, 1e-12);
  EXPECT_NE(plain.f(Point(6, 0)), standard.f(Point(6, 0)));
}

TEST(Maxsat, OptimumIsThatOfBruteForce) {
  for (const std::string& base : {kSmall, kCut}) {  // through Assignment, and through the quadratic
    for (const char* more : {"", ",normalise=false", ",flip=8"}) {
      const Problem problem = make_problem(base + more, 0);
      for (const double l1 : {0.0, 0.5, 4.0}) {
        EXPECT_NEAR(problem.optimum(l1)->value, test::brute_force(problem, l1), 1e-12) << base << more;
      }
    }
  }
}

// A clause of three literals leaves an eighth of all points without it: the mean over all points is 7/8 of the weight,
// which is what a point that satisfies everything would have. Weights are uniform on (0, 1).
TEST(Maxsat, RandomFormulasHaveTheStatedSizes) {
  double weight = 0;
  for (std::uint64_t instance = 0; instance < 40; ++instance) {
    const Problem problem = make_problem("maxsat:n=10,density=4,normalise=false", instance);
    double mean = 0;
    for (int code = 0; code < 1024; ++code) {
      Point x(10);
      for (int i = 0; i < 10; ++i) x[static_cast<std::size_t>(i)] = code >> i & 1;
      mean -= problem.f(x) / 1024;
    }
    weight += mean / 0.875 / 40;
  }
  EXPECT_NEAR(weight, 40 * 0.5, 1.2);  // 4 standard errors
}

TEST(Maxsat, OptimumOfARandomFormulaIsThatOfBruteForce) {
  for (const char* spec :
       {"maxsat:n=11,density=4", "maxsat:n=11,density=3,length=2", "maxsat:n=11,density=6,length=5,flip=2"}) {
    const Problem problem = make_problem(spec, 7);
    for (const double l1 : {0.0, 0.5}) {
      EXPECT_NEAR(problem.optimum(l1)->value, test::brute_force(problem, l1), 1e-12) << spec;
    }
    EXPECT_NE(problem.optimum(0)->value, make_problem(spec, 8).optimum(0)->value);
  }
}

TEST(Maxsat, RefusesBadOptions) {
  EXPECT_THROW(make_problem("maxsat:n=2,length=3", 0), InvalidArgument);
  EXPECT_THROW(make_problem(kSmall + ",n=5", 0), InvalidArgument);
  EXPECT_THROW(make_problem("maxsat", 0), InvalidArgument);
  EXPECT_THROW(make_problem("maxsat:file=no_such_file.wcnf", 0), InvalidArgument);
}

TEST(Maxsat, ShortClausesOfManyVariablesTakeLittleMemory) {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "wide.wcnf";
  std::ofstream(file) << "1 100000 0\n2 1 0\n";
  const Problem problem = make_problem("maxsat:normalise=false,file=" + file, 0);
  Point x(100'000, 0);
  EXPECT_EQ(problem.f(x), 0);
  x.back() = 1;
  EXPECT_EQ(problem.f(x), -1);
  EXPECT_FALSE(problem.optimum(0));
}

}  // namespace
}  // namespace bocs
