#include "bocs/study/candidate_table.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <unordered_map>

#include "bocs/base/error.hpp"
#include "bocs/base/text.hpp"
#include "bocs/study/point_columns.hpp"

namespace bocs {
namespace {

constexpr std::size_t kListed = 100;  // so many different numbers are listed; more are those of a range

std::optional<double> number_of(const std::string& cell) {
  double value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc() || end != cell.data() + cell.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

/// The cells of one column, each text once, in the order of the rows.
struct Shown {
  std::vector<std::string> texts;
  std::vector<double> numbers;  // ascending; empty: some text is no number
};

class Reader {
 public:
  Reader(const CsvTable& table, const CandidateOptions& options) : table_(table), options_(options) {}

  [[nodiscard]] std::string at(std::size_t row) const {
    return options_.where +
           (table_.lines.empty() ? ", row " + std::to_string(row + 1) : ":" + std::to_string(table_.lines[row])) + ": ";
  }

  [[nodiscard]] Shown shown_in(std::size_t column) const {
    Shown shown;
    std::set<std::string> met;
    bool are_numbers = true;
    for (std::size_t row = 0; row < table_.rows.size(); ++row) {
      const std::string cell = clean_utf8(table_.rows[row][column]);
      require(!is_missing(cell), [&] {
        return at(row) + "the column '" + table_.columns[column] +
               "' is empty; allowed: a value in every row, or carry = [\"" + table_.columns[column] + "\"]";
      });
      if (!met.insert(cell).second) continue;
      shown.texts.push_back(cell);
      const auto number = are_numbers ? number_of(with_point(cell)) : std::nullopt;
      are_numbers = number.has_value();
      if (number) shown.numbers.push_back(*number);
    }
    if (!are_numbers) shown.numbers.clear();
    std::sort(shown.numbers.begin(), shown.numbers.end());
    shown.numbers.erase(std::unique(shown.numbers.begin(), shown.numbers.end()), shown.numbers.end());
    return shown;
  }

  /// Nothing: it is carried along.
  [[nodiscard]] std::optional<Variable> variable_of(std::size_t column) const {
    const std::string& name = table_.columns[column];
    const Shown shown = shown_in(column);
    const auto& numbers = shown.numbers;
    if (shown.texts.size() == 1 && table_.rows.size() > 1) return std::nullopt;
    if (numbers == std::vector<double>{0, 1}) return binary(name);
    if (!numbers.empty() && numbers.size() <= kListed) return ordinal(name, numbers);
    if (!numbers.empty()) return real(name, numbers.front(), numbers.back());
    if (shown.texts.size() == table_.rows.size() && table_.rows.size() > 1) return std::nullopt;
    return choice(name, {shown.texts.begin(), shown.texts.end()});
  }

  [[nodiscard]] Space inferred() const {
    std::vector<Variable> variables;
    for (std::size_t column = 0; column < table_.columns.size(); ++column) {
      const std::string& name = table_.columns[column];
      if (std::find(options_.carried.begin(), options_.carried.end(), name) != options_.carried.end()) continue;
      require(!name.empty(), [&] { return options_.where + ": a column has no name"; });
      require(name != "value", [&] {
        return options_.where +
               ": the column 'value' would be a variable, but that is what trials report; allowed: "
               "another name, carry = [\"value\"], or measured rows as data";
      });
      if (auto variable = variable_of(column)) variables.push_back(std::move(*variable));
    }
    require(!variables.empty(), [&] {
      return options_.where + ": found no column that is a variable: each has one value in all rows, or names the rows";
    });
    return Space(std::move(variables));
  }

  [[nodiscard]] std::vector<Point> points(const Space& space, std::vector<bool>& is_variable) const {
    const PointColumns columns(space, table_.columns, table_.separator, options_.where + ": ");
    for (const std::size_t place : columns.places()) is_variable[place] = true;
    const auto wanted = columns_of(space);
    const bool plain = std::all_of(wanted.begin(), wanted.end(), [](const Column& c) { return c.coordinate >= 0; });
    std::vector<std::unordered_map<std::string, std::int32_t>> known(wanted.size());  // texts read before
    std::vector<Point> points;
    points.reserve(table_.rows.size());
    for (std::size_t row = 0; row < table_.rows.size(); ++row) {
      const auto& cells = table_.rows[row];
      Point x(static_cast<std::size_t>(space.dimension()));
      bool are_known = plain;
      for (std::size_t k = 0; are_known && k < wanted.size(); ++k) {
        const auto found = known[k].find(cells[columns.places()[k]]);
        are_known = found != known[k].end();
        if (are_known) x[static_cast<std::size_t>(wanted[k].coordinate)] = found->second;
      }
      if (!are_known) {
        try {
          x = columns.read(cells);
        } catch (const InvalidArgument& error) {
          throw InvalidArgument(at(row) + error.what());
        }
        for (std::size_t k = 0; plain && k < wanted.size(); ++k) {
          known[k][cells[columns.places()[k]]] = x[static_cast<std::size_t>(wanted[k].coordinate)];
        }
      }
      points.push_back(std::move(x));
    }
    return points;
  }

 private:
  [[nodiscard]] std::string with_point(std::string cell) const {
    if (table_.separator == ';') std::replace(cell.begin(), cell.end(), ',', '.');
    return cell;
  }

  const CsvTable& table_;
  const CandidateOptions& options_;
};

/// Tabs, line ends and backslashes in a cell.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '\\' ? "\\\\" : c == '\t' ? "\\t" : c == '\n' ? "\\n" : std::string(1, c);
  return result;
}

std::string unescaped(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_mark = text[i] == '\\' && i + 1 < text.size();
    if (is_mark) ++i;
    result += !is_mark ? text[i] : text[i] == 't' ? '\t' : text[i] == 'n' ? '\n' : text[i];
  }
  return result;
}

/// The fields of one line.
std::vector<std::string> fields_of(std::string_view line) {
  std::vector<std::string> fields;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find('\t', begin), line.size());
    fields.push_back(unescaped(line.substr(begin, end - begin)));
    begin = end + 1;
  }
  return fields;
}

}  // namespace

CandidateTable candidate_table(const CsvTable& table, const CandidateOptions& options) {
  require(!table.rows.empty(), [&] { return options.where + ": found no rows; allowed: one for each candidate"; });
  require(table.rows.size() <= Candidates::kMostRows, [&] {
    return options.where + ": found " + std::to_string(table.rows.size()) +
           " rows; allowed: " + std::to_string(Candidates::kMostRows);
  });
  for (const std::string& name : options.carried) {
    require(std::find(table.columns.begin(), table.columns.end(), name) != table.columns.end(), [&] {
      return options.where + ": there is no column '" + name + "' to carry" + did_you_mean(name, table.columns);
    });
  }
  const Reader reader(table, options);
  const Space space = options.space ? *options.space : reader.inferred();
  std::vector<bool> is_variable(table.columns.size());
  const std::vector<Point> points = reader.points(space, is_variable);
  std::vector<Candidates::Column> carried;
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    if (is_variable[column]) continue;
    auto& own = carried.emplace_back(Candidates::Column{clean_utf8(table.columns[column]), {}});
    for (const auto& row : table.rows) own.texts.push_back(clean_utf8(row[column]));
  }
  try {
    return {space, std::make_shared<const Candidates>(space, points, std::move(carried))};
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(options.where + ": " + error.what());
  }
}

std::string candidates_to_text(const Candidates& candidates) {
  std::string text = std::to_string(candidates.dimension());
  for (const auto& column : candidates.carried()) text += "\t" + escaped(column.name);
  text += "\n";
  for (std::size_t row = 0; row < candidates.size(); ++row) {
    for (std::size_t i = 0; i < candidates.dimension(); ++i) {
      text += (i == 0 ? "" : "\t") + std::to_string(candidates.levels(row)[i]);
    }
    for (const auto& column : candidates.carried()) text += "\t" + escaped(column.texts[row]);
    text += "\n";
  }
  return text;
}

std::shared_ptr<const Candidates> candidates_from_text(const Space& space, const std::string& text) {
  const auto damaged = [] { throw StoreError("the store holds candidates that cannot be read; go on with a backup"); };
  std::vector<Point> points;
  std::vector<Candidates::Column> carried;
  const auto d = static_cast<std::size_t>(space.dimension());
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const auto fields = fields_of(std::string_view(text).substr(begin, end - begin));
    if (begin == 0) {
      if (fields.front() != std::to_string(d)) damaged();
      for (std::size_t k = 1; k < fields.size(); ++k) carried.push_back({fields[k], {}});
    } else {
      if (fields.size() != d + carried.size()) damaged();
      Point& x = points.emplace_back(d);
      for (std::size_t i = 0; i < d; ++i) {
        const auto& field = fields[i];
        const auto [last, error] = std::from_chars(field.data(), field.data() + field.size(), x[i]);
        if (error != std::errc() || last != field.data() + field.size()) damaged();
      }
      for (std::size_t k = 0; k < carried.size(); ++k) carried[k].texts.push_back(fields[d + k]);
    }
    begin = end + 1;
  }
  try {
    return std::make_shared<const Candidates>(space, points, std::move(carried));
  } catch (const InvalidArgument&) {
    damaged();
  }
  return nullptr;
}

}  // namespace bocs
