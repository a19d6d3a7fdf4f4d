#pragma once
// Results of cells, made by hand.

#include <gtest/gtest.h>

#include "bocs/experiment/cell.hpp"
#include "temporary_folder.hpp"

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

}  // namespace bocs
