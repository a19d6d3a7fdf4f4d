#pragma once
// Results of cells, made by hand.

#include <gtest/gtest.h>

#include <filesystem>

#include "bocs/experiment/cell.hpp"

namespace bocs {

/// A run with optimum 0 that ends at `value`, minimizing.
inline CellResult ended_at(double value, const std::string& method, std::uint64_t instance, int repeat = 0) {
  CellResult result;
  result.cell.problem = "bqp";
  result.cell.method = method;
  result.cell.instance = instance;
  result.cell.repeat = repeat;
  result.cell.trials = 10;
  result.optimum = 0;
  result.best = {{0, 8, 0.25}, {6, value, 1.5}};
  result.evaluations = 10;
  return result;
}

/// An empty folder of the running test, removed at its end.
class Folder {
 public:
  Folder() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    path_ = std::filesystem::path(testing::TempDir()) /
            (std::string("bocs_") + test->test_suite_name() + "_" + test->name());
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace bocs
