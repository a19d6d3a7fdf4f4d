#pragma once
// A table of the only points there are: a library of molecules, the experiments a robot can run. A row is a point;
// columns that are no variables are carried along.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bocs/space/space.hpp"

namespace bocs {

class Candidates {
 public:
  static constexpr std::size_t kMostRows = 1'000'000;

  /// A column that is no variable: a name of the row, a price. It is shown beside a point, and no method reads it.
  struct Column {
    std::string name;
    std::vector<std::string> texts;  // by row
  };

  /// Throws InvalidArgument: no rows or too many, points outside the space, two rows of the same point (named by their
  /// numbers, the first is 1), columns of another length or without a name of their own.
  Candidates(const Space& space, const std::vector<Point>& rows, std::vector<Column> carried = {});

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] Point point(std::size_t row) const { return {levels(row), levels(row) + dimension_}; }
  [[nodiscard]] const std::int32_t* levels(std::size_t row) const { return levels_.data() + row * dimension_; }
  [[nodiscard]] std::size_t dimension() const { return dimension_; }
  [[nodiscard]] std::optional<std::size_t> find(const Point& x) const;  // its row
  [[nodiscard]] const std::vector<Column>& carried() const { return carried_; }
  /// Of points and carried columns: equal for tables that are the same, 32 hexadecimal digits.
  [[nodiscard]] const std::string& hash() const { return hash_; }

 private:
  [[nodiscard]] std::size_t slot_of(const std::int32_t* x) const;  // where it is, or would be, in slots_
  void index_rows(const Space& space);
  [[nodiscard]] std::string computed_hash() const;

  std::size_t size_, dimension_;
  std::vector<std::int32_t> levels_;  // row by row
  std::vector<std::uint32_t> slots_;  // open addressing: row + 1, 0 is free
  std::vector<Column> carried_;
  std::string hash_;
};

/// A name and a text for each carried column of the row of x; none without a table.
std::vector<std::pair<std::string, std::string>> carried_of(const Candidates* candidates, const Point& x);

}  // namespace bocs
