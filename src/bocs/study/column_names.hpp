#pragma once
// The columns of exported trials: of CSV files, of Python's frames, of the attributes in Optuna's storages.

#include <set>
#include <string>
#include <vector>

#include "bocs/space/space.hpp"

namespace bocs {

/// Gives every column a name of its own: what would be called like an earlier one is called "bocs:NAME".
class ColumnNames {
 public:
  explicit ColumnNames(const std::vector<std::string>& taken) : taken_(taken.begin(), taken.end()) {}
  std::string add(std::string name);

 private:
  std::set<std::string> taken_;
};

/// number, state, the variables, value, total (with the penalty), seconds, error, metrics. Variables keep their names.
std::vector<std::string> column_names(const Space& space, const std::set<std::string>& metrics);
/// The column `value` of a file with a column for every variable.
std::string value_column(const Space& space);

}  // namespace bocs
