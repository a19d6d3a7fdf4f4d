#include "bocs/study/plate_sheet.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "bocs/base/error.hpp"
#include "bocs/base/text.hpp"
#include "bocs/study/csv.hpp"
#include "bocs/study/point_columns.hpp"

namespace bocs {
namespace {

constexpr std::size_t kShownMistakes = 5;

/// The columns of a sheet besides the variables: a name that a variable has is "bocs:NAME".
struct Names {
  explicit Names(const Task& task) {
    std::vector<std::string> taken;
    for (const Column& column : columns_of(task.space)) taken.push_back(column.name);
    ColumnNames names(taken);
    number = names.add("number");
    for (const auto& name : carried_names(task.constraints.candidates())) carried.push_back(names.add(name));
    const std::vector<std::string> named = named_metrics(task);
    has_value = task.goals.empty() || task.goals.front().name == "value";
    if (has_value) value = names.add("value");
    for (const auto& name : named) metrics.emplace_back(name, names.add(name));
    remark = names.add("remark");
  }

  std::string number, value, remark;
  std::vector<std::string> carried;
  std::vector<std::pair<std::string, std::string>> metrics;  // the metric, its column
  bool has_value = true;
};

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

std::optional<double> number_in(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

/// One row that says something.
struct Filled {
  std::optional<int> number;
  Point x;
  Outcome outcome;
};

class SheetReader {
 public:
  SheetReader(const Session& session, const CsvTable& table, const std::string& file)
      : session_(session),
        names_(session.task()),
        table_(session.task().space, table.columns, file + ":1: "),
        points_(session.task().space, table.columns, table.separator, file + ":1: "),
        number_(table_.at(names_.number)) {
    if (names_.has_value) value_ = table_.at(names_.value);
    for (const auto& [metric, column] : names_.metrics) metrics_.emplace_back(metric, table_.at(column));
    remark_ = table_.find(names_.remark);
  }

  /// Nothing: the row has no result yet.
  [[nodiscard]] std::optional<Filled> read(const std::vector<std::string>& cells) const {
    Filled row{number_of(cells), points_.read(cells), result_of(cells)};
    if (row.outcome.state == State::waiting) return std::nullopt;
    session_.task().space.check(row.x);
    session_.task().constraints.check(row.x);
    if (row.number) {
      check_trial(row);
    } else {
      require(row.outcome.state == State::complete, "a row without a number needs a value: failures belong to trials");
    }
    return row;
  }

  [[nodiscard]] bool is_finished_already(const Filled& row) const {
    return is_finished(*session_.history().find(*row.number));
  }
  /// An evaluation that nobody asked for: by this sheet, when it was given back before.
  [[nodiscard]] bool was_added(const Filled& row) const {
    const double y = judged(session_.task(), session_.sense(), row.outcome).y;
    const auto trials = session_.history().trials();
    return std::any_of(trials.begin(), trials.end(), [&](const Trial& trial) {
      return trial.info.origin == Origin::imported && trial.x == row.x && trial.y == y;
    });
  }

 private:
  [[nodiscard]] std::optional<int> number_of(const std::vector<std::string>& cells) const {
    const std::string cell = trimmed(cells[number_]);
    if (is_missing(cell)) return std::nullopt;
    const auto number = number_in(cell);
    require(number && *number == std::floor(*number) && *number >= 0 && *number < 1e9,
            [&] { return "number: found '" + cell + "'; allowed: the number of a trial, or nothing"; });
    return static_cast<int>(*number);
  }

  /// State::waiting: nothing is filled in.
  [[nodiscard]] Outcome result_of(const std::vector<std::string>& cells) const {
    Outcome outcome = Outcome::metrics_alone("there is no value");
    if (remark_) outcome.remark = clean_utf8(trimmed(cells[*remark_]));
    std::string words;  // the first text where a number belongs
    std::vector<std::string> empty;
    const auto read = [&](const std::string& name, std::size_t place) -> std::optional<double> {
      const std::string cell = trimmed(cells[place]);
      if (is_missing(cell)) {
        empty.push_back(name);
        return std::nullopt;
      }
      const auto number = number_in(points_.with_point(cell));
      if (!number && words.empty()) words = cell;
      return number;
    };
    if (const auto y = value_ ? read(names_.value, *value_) : std::nullopt) outcome.y = *y;
    for (const auto& [metric, place] : metrics_) {
      if (const auto number = read(metric, place)) outcome.metrics[metric] = *number;
    }
    const std::size_t all = metrics_.size() + (value_ ? 1 : 0);
    if (!words.empty()) {
      outcome.state = State::failed;
      outcome.error = clean_utf8(words);
      return outcome;
    }
    if (empty.size() == all) outcome.state = State::waiting;
    require(empty.empty() || empty.size() == all, [&] {
      return "the column '" + empty.front() + "' is empty; allowed: a number, or words that say why there is none";
    });
    return outcome;
  }

  void check_trial(const Filled& row) const {
    const std::string name = "trial " + std::to_string(*row.number);
    const Trial* trial = session_.history().find(*row.number);
    require(trial != nullptr, [&] { return "there is no " + name + " in this study"; });
    require(trial->x == row.x, [&] {
      return name +
             " was asked with other values; allowed: those of the trial, or, for what was done instead, a row "
             "without a number";
    });
    if (!is_finished(*trial)) return;
    const Outcome told = judged(session_.task(), session_.sense(), row.outcome);
    const bool is_same = trial->state == State::struck ||
                         (trial->state == told.state && (told.state == State::failed || trial->y == told.y));
    require(is_same, [&] {
      return name +
             " was told before, with another result; a finished trial never changes (bocs strike takes a wrong "
             "one out)";
    });
  }

  const Session& session_;
  Names names_;
  TableColumns table_;
  PointColumns points_;
  std::size_t number_;
  std::optional<std::size_t> value_, remark_;
  std::vector<std::pair<std::string, std::size_t>> metrics_;
};

}  // namespace

std::string plate_sheet(const Task& task, std::span<const Trial> trials) {
  const Names names(task);
  const auto columns = columns_of(task.space);
  std::vector<std::string> cells{names.number};
  for (const Column& column : columns) cells.push_back(column.name);
  cells.insert(cells.end(), names.carried.begin(), names.carried.end());
  if (names.has_value) cells.push_back(names.value);
  for (const auto& [metric, column] : names.metrics) cells.push_back(column);
  cells.push_back(names.remark);
  std::string text = csv_line(cells);
  const std::size_t width = cells.size();
  for (const Trial& trial : trials) {
    cells = {std::to_string(trial.number)};
    for (const Column& column : columns) cells.push_back(cell_text(task.space, trial.x, column));
    for (const auto& [name, carried] : carried_of(task.constraints.candidates(), trial.x)) cells.push_back(carried);
    cells.resize(width);
    text += csv_line(cells);
  }
  return text;
}

SheetResult tell_sheet(Session& session, const std::filesystem::path& path) {
  session.refresh();
  const CsvTable table = read_csv_table(path);
  const SheetReader reader(session, table, path.string());
  SheetResult result;
  std::vector<Filled> rows;
  std::vector<std::string> mistakes;
  std::set<int> numbers;
  std::size_t wrong = 0;
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    try {
      auto row = reader.read(table.rows[r]);
      if (!row) {
        ++result.open;
        continue;
      }
      require(!row->number || numbers.insert(*row->number).second,
              [&] { return "trial " + std::to_string(*row->number) + " is there twice"; });
      rows.push_back(std::move(*row));
    } catch (const InvalidArgument& error) {
      if (++wrong <= kShownMistakes) {
        mistakes.push_back(path.string() + ":" + std::to_string(table.lines[r]) + ": " + error.what());
      }
    }
  }
  require(mistakes.empty(), [&] {
    return joined(mistakes, "; ") +
           (wrong > mistakes.size() ? "; and " + std::to_string(wrong - mistakes.size()) + " other rows are wrong"
                                    : "") +
           "; nothing was told";
  });
  for (const Filled& row : rows) {
    if (row.number && reader.is_finished_already(row)) {
      ++result.known;
    } else if (row.number) {
      session.tell(*row.number, row.outcome);
      result.told.push_back(*row.number);
      result.failed += session.history().find(*row.number)->state == State::failed ? 1 : 0;
    } else if (!reader.was_added(row)) {
      session.tell(row.x, row.outcome, Origin::imported);
      ++result.added;
    } else {
      ++result.known;
    }
  }
  return result;
}

}  // namespace bocs
