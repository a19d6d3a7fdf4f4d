#include "bocs/experiment/results_file.hpp"

#include <fstream>

#include "bocs/base/error.hpp"
#include "results.hpp"

namespace bocs {
namespace {

TEST(ResultsFile, KeepsWhatIsAppended) {
  const TemporaryFolder folder;
  EXPECT_TRUE(read_results(folder.path() / "none").empty());
  {
    ResultsFile file(folder.path() / "new");
    EXPECT_TRUE(file.results().empty());
    file.append(ended_at(1, "bocs", 0));
    file.append(ended_at(2, "bocs", 1));
    EXPECT_EQ(read_results(folder.path() / "new").size(), 2U);  // readers need no lock
  }
  const ResultsFile again(folder.path() / "new");
  ASSERT_EQ(again.results().size(), 2U);
  EXPECT_EQ(again.results()[1].cell.key(), ended_at(2, "bocs", 1).cell.key());
}

TEST(ResultsFile, CutsATornLastLineWhereverItIsTorn) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "cells.jsonl";
  const std::string whole = to_line(ended_at(1, "bocs", 0)) + "\n";
  const std::string torn = to_line(ended_at(2, "bocs", 1));
  for (std::size_t length = 0; length <= torn.size(); length += 7) {
    std::ofstream(path, std::ios::binary) << whole << torn.substr(0, length);
    EXPECT_EQ(read_results(folder.path()).size(), 1U);
    {
      ResultsFile file(folder.path());
      EXPECT_EQ(file.results().size(), 1U);
      file.append(ended_at(3, "bocs", 2));
    }
    const auto results = read_results(folder.path());
    ASSERT_EQ(results.size(), 2U);
    EXPECT_EQ(results[1].cell.instance, 2U);
  }
}

TEST(ResultsFile, ASecondWriterIsRefused) {
  const TemporaryFolder folder;
  const ResultsFile first(folder.path());
  try {
    const ResultsFile second(folder.path());
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("in use"), std::string::npos) << error.what();
  }
}

TEST(ResultsFile, DamageInTheMiddleIsNamedWithItsLine) {
  const TemporaryFolder folder;
  const std::string whole = to_line(ended_at(1, "bocs", 0)) + "\n";
  std::ofstream(folder.path() / "cells.jsonl") << whole << "damage\n" << whole;
  try {
    read_results(folder.path());
    FAIL();
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find("cells.jsonl:2:"), std::string::npos) << error.what();
  }
}

TEST(ResultsFile, AFolderThatCannotBeMadeIsAnError) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "file") << "";
  EXPECT_THROW(ResultsFile(folder.path() / "file" / "below"), Error);
}

}  // namespace
}  // namespace bocs
