#pragma once
// The columns of exported trials: of CSV files, of Python's frames, of the attributes in Optuna's storages.

#include <set>
#include <string>
#include <vector>

#include "bocs/rule/candidates.hpp"

namespace bocs {

/// One column of a point: a coordinate, or a whole order, as a JSON list.
struct Column {
  std::string name;
  int variable = 0;
  int coordinate = 0;  // -1: the whole variable
};
std::vector<Column> columns_of(const Space& space);

/// Gives every column a name of its own: what would be called like an earlier one is called "bocs:NAME".
class ColumnNames {
 public:
  explicit ColumnNames(const std::vector<std::string>& taken) : taken_(taken.begin(), taken.end()) {}
  std::string add(std::string name);

 private:
  std::set<std::string> taken_;
};

/// number, state, the variables, what is carried along with candidates, value, total (with the penalty), seconds,
/// error, metrics. Variables keep their names.
std::vector<std::string> column_names(const Space& space, const std::set<std::string>& metrics,
                                      const std::vector<std::string>& carried = {});
/// The names of the columns carried along with candidates.
std::vector<std::string> carried_names(const Candidates* candidates);
/// The column `value` of a file with a column for every variable.
std::string value_column(const Space& space);

}  // namespace bocs
