#pragma once
// Points in the rows of a table that has a column for every variable.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bocs/study/column_names.hpp"

namespace bocs {

/// True for an empty cell, and for what pandas and R write instead: NaN, NA, None, null.
bool is_missing(const std::string& cell);

/// Where the columns of a table are.
class TableColumns {
 public:
  /// `where` begins the messages: "past.csv:1: ".
  TableColumns(const Space& space, const std::vector<std::string>& header, std::string where);

  [[nodiscard]] std::optional<std::size_t> find(const std::string& name) const;  // nothing: it is not there
  /// Throws InvalidArgument for a column that is missing, or there twice.
  [[nodiscard]] std::size_t at(const std::string& name) const;

 private:
  const Space& space_;
  const std::vector<std::string>& header_;
  std::string where_;
  std::map<std::string, std::vector<std::size_t>> places_;
};

class PointColumns {
 public:
  /// Throws InvalidArgument for a variable without a column. Keeps a reference to the space.
  PointColumns(const Space& space, const std::vector<std::string>& header, char separator, const std::string& where);

  /// Throws InvalidArgument. With `moved`, a number between two values of its variable means the nearest one, and is
  /// counted there.
  [[nodiscard]] Point read(const std::vector<std::string>& cells, int* moved = nullptr) const;
  /// A number as it is written in a file whose columns are separated by semicolons: with a decimal comma.
  [[nodiscard]] std::string with_point(std::string cell) const;
  [[nodiscard]] const std::vector<std::size_t>& places() const { return places_; }

 private:
  const Space& space_;
  char separator_;
  std::vector<Column> columns_;
  std::vector<std::size_t> places_;  // of the columns
};

}  // namespace bocs
