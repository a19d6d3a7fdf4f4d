#include "bocs/problem/instance_file.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "bocs/base/error.hpp"
#include "bocs/problem/problem.hpp"
#include "temporary_folder.hpp"

namespace bocs {
namespace {

class InstanceFile : public testing::Test {
 protected:
  [[nodiscard]] std::string file_with(const std::string& content) const {
    const std::string name = (folder_.path() / "instance.json").string();
    std::ofstream(name) << content;
    return name;
  }

 private:
  TemporaryFolder folder_;
};

/// The message `spec` is refused with; empty if it is not.
std::string refusal(const std::string& spec) {
  try {
    make_problem(spec, 0);
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "";
}

TEST_F(InstanceFile, ErrorsNameTheFileAndWhatIsWrong) {
  const std::tuple<const char*, const char*, const char*> bad[] = {
      {"bqp", "{\"Q\": [[1, 2", "not valid JSON"},
      {"bqp", "[1, 2]", "an object is expected"},
      {"bqp", "{\"R\": 1}", "'Q' is missing"},
      {"bqp", "{\"Q\": [[1, 2], [3]]}", "rows of equal length"},
      {"bqp", "{\"Q\": [[1, \"a\"], [3, 4]]}", "finite numbers"},
      {"bqp", "{\"Q\": [[1, 2, 3], [3, 4, 5]]}", "as many columns as rows"},
      {"bqp", "{\"Q\": []}", "a list of rows"},
      {"bqp", "{\"cases\": []}", "has 0 cases"},
      {"ising", "{\"side\": 2, \"J\": [1, 2, 3]}", "a list of 4 numbers, not 3"},
      {"ising", "{\"side\": -2, \"J\": [1]}", "'side' must be a whole number"},
      {"ising", "{\"rows\": 2, \"J\": [1]}", "'columns' is missing"},
      {"contamination", "{\"d\": 1, \"T\": 2, \"Z0\": [0, 0], \"Lambda\": [[0]], \"Gamma\": [[0, 0]]}",
       "1 rows of 2 numbers, not 1 of 1"},
  };
  for (const auto& [problem, content, expected] : bad) {
    const std::string file = file_with(content);
    const std::string message = refusal(problem + std::string(":instance=") + file);
    EXPECT_NE(message.find(expected), std::string::npos) << content << " -> " << message;
    EXPECT_NE(message.find(file), std::string::npos) << message;
  }
}

TEST_F(InstanceFile, OneInstanceOrAListOfCases) {
  const std::string one = "bqp:instance=" + file_with("{\"Q\": [[2]]}");
  EXPECT_EQ(make_problem(one, 0).f({1}), 2);
  EXPECT_NE(refusal(one + ",case=1").find("no list of `cases`"), std::string::npos);
  const std::string list = "bqp:instance=" + file_with("{\"cases\": [{\"Q\": [[2]]}, {\"Q\": [[3]]}]}");
  EXPECT_EQ(make_problem(list, 0).f({1}), 2);
  EXPECT_EQ(make_problem(list + ",case=1", 0).f({1}), 3);
  EXPECT_NE(refusal(list + ",case=2").find("has 2 cases"), std::string::npos);
}

TEST_F(InstanceFile, SettingsTheFileDecidesAreRefused) {
  const std::string spec = "bqp:instance=" + file_with("{\"Q\": [[2]]}");
  EXPECT_NE(refusal(spec + ",lc=3").find("lc=3"), std::string::npos);
  EXPECT_EQ(refusal(spec + ",flip=3"), "");
}

TEST_F(InstanceFile, AMissingFileIsNamed) {
  EXPECT_NE(refusal("bqp:instance=no/such.json").find("no/such.json"), std::string::npos);
}

}  // namespace
}  // namespace bocs
