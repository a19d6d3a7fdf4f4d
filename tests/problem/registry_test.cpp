#include <gtest/gtest.h>

#include "bocs/base/error.hpp"
#include "bocs/problem/problem.hpp"

namespace bocs {
namespace {

TEST(ProblemRegistry, UnknownNamesAreToldTheKnownOnes) {
  try {
    make_problem("izing:rows=4", 0);
    FAIL();
  } catch (const InvalidArgument& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("'izing'"), std::string::npos) << message;
    for (const auto& entry : list_problems()) EXPECT_NE(message.find(entry.name), std::string::npos) << message;
  }
}

TEST(ProblemRegistry, ListsOptionsWithDefaults) {
  bool found = false;
  for (const auto& entry : list_problems()) {
    EXPECT_FALSE(entry.help.empty());
    for (const auto& option : entry.options)
      found = found || (entry.name == "bqp" && option.name == "lc" && option.value == "10");
  }
  EXPECT_TRUE(found);
}

}  // namespace
}  // namespace bocs
