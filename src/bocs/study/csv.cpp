#include "bocs/study/csv.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>
#include <set>

#include "bocs/base/error.hpp"
#include "bocs/base/text.hpp"
#include "bocs/store/json.hpp"
#include "bocs/study/column_names.hpp"
#include "bocs/study/point_columns.hpp"
#include "bocs/study/point_json.hpp"

namespace bocs {
namespace {

struct Record {
  std::vector<std::string> fields;
  int line = 0;
};

/// True for what a spreadsheet runs, or shows otherwise, instead of keeping it: a formula, which begins with = + - @, a
/// tab or a line end; and for such a text after our own mark.
bool looks_like_a_formula(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of('\''), text.size()));
  if (text.empty() || std::string_view("=+-@\t\r\n").find(text.front()) == std::string_view::npos) return false;
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error != std::errc() || end != text.data() + text.size();
}

/// The mark is an apostrophe, which spreadsheets take for "what follows is text".
std::string without_mark(const std::string& field) {
  return field.starts_with('\'') && looks_like_a_formula(field) ? field.substr(1) : field;
}

/// ';' if the first line has semicolons and no comma, quoted ones aside.
char find_separator(const std::string& text) {
  bool quoted = false, semicolon = false;
  for (const char c : text.substr(0, text.find('\n'))) {
    quoted = quoted != (c == '"');
    if (c == ',' && !quoted) return ',';
    semicolon = semicolon || (c == ';' && !quoted);
  }
  return semicolon ? ';' : ',';
}

/// Records of the text; fields may be in quotes, then with separators, line breaks and doubled quotes inside.
std::vector<Record> parse_records(const std::string& text, char separator, const std::string& file) {
  std::vector<Record> records;
  int line = 1;
  std::size_t at = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;  // byte order mark
  while (at < text.size()) {
    Record record{{""}, line};
    bool quoted = false;
    for (; at < text.size(); ++at) {
      const char c = text[at];
      line += c == '\n' ? 1 : 0;
      if (quoted) {
        if (c != '"') {
          record.fields.back() += c;
        } else if (at + 1 < text.size() && text[at + 1] == '"') {
          record.fields.back() += text[at++];
        } else {
          quoted = false;
        }
      } else if (c == '"' && record.fields.back().empty()) {
        quoted = true;
      } else if (c == separator) {
        record.fields.emplace_back();
      } else if (c == '\n') {
        ++at;
        break;
      } else if (c != '\r') {
        record.fields.back() += c;
      }
    }
    require(!quoted, [&] { return file + ":" + std::to_string(record.line) + ": a quote is opened and never closed"; });
    for (std::string& field : record.fields) field = without_mark(field);
    if (record.fields != std::vector<std::string>{""}) records.push_back(std::move(record));  // not an empty line
  }
  return records;
}

struct Records {
  std::vector<Record> list;  // not empty: the first one names the columns
  char separator = ',';
};

Records read_records(const std::filesystem::path& path) {
  const std::string file = path.string();
  std::ifstream stream(path, std::ios::binary);
  require(std::filesystem::exists(path), [&] { return file + ": there is no such file"; });
  require(stream.good(), [&] { return file + ": cannot be read"; });
  const std::string text((std::istreambuf_iterator<char>(stream)), {});
  const char separator = find_separator(text);
  Records records{parse_records(text, separator, file), separator};
  require(!records.list.empty(), [&] { return file + ": empty; the first line names the columns"; });
  return records;
}

void check_size(const Record& record, std::size_t columns) {
  require(record.fields.size() == columns, [&] {
    return "found " + std::to_string(record.fields.size()) + " fields; the first line has " + std::to_string(columns);
  });
}

double parse_value(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  require(error == std::errc() && end == text.data() + text.size() && std::isfinite(value),
          [&] { return "value: found '" + text + "'; allowed: a finite number"; });
  return value;
}

std::string field(const std::string& value) {
  const std::string text = (looks_like_a_formula(value) ? "'" : "") + value;
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + "\"";
}

constexpr std::size_t kShownMistakes = 5;

/// Nothing for what is unknown.
std::string number(double value) { return std::isfinite(value) ? shortest(value) : ""; }

}  // namespace

std::string csv_line(const std::vector<std::string>& cells) {
  std::string line;
  for (std::size_t k = 0; k < cells.size(); ++k) line += (k == 0 ? "" : ",") + field(cells[k]);
  return line + "\n";
}

std::string cell_text(const Space& space, const Point& x, const Column& column) {
  if (column.coordinate < 0) return value_json(space, x, column.variable);
  const Coordinate& c = space[column.coordinate];
  const auto level = x[static_cast<std::size_t>(column.coordinate)];
  return c.is_absent(level) ? "" : format_level(c, level);
}

CsvTable read_csv_table(const std::filesystem::path& path) {
  auto [records, separator] = read_records(path);
  CsvTable table{std::move(records.front().fields), {}, separator};
  for (auto record = records.begin() + 1; record != records.end(); ++record) {
    try {
      check_size(*record, table.columns.size());
    } catch (const InvalidArgument& error) {
      throw InvalidArgument(path.string() + ":" + std::to_string(record->line) + ": " + error.what());
    }
    table.rows.push_back(std::move(record->fields));
    table.lines.push_back(record->line);
  }
  return table;
}

PastData read_csv(const std::filesystem::path& path, const Task& task, bool nearest) {
  const Space& space = task.space;
  const std::string file = path.string();
  const auto read = read_records(path);
  const auto& records = read.list;  // no structured binding: clang 14 lets no lambda capture one
  const char separator = read.separator;

  const auto& header = records.front().fields;
  const std::string where = file + ":" + std::to_string(records.front().line) + ": ";
  const PointColumns points(space, header, separator, where);
  const TableColumns columns(space, header, where);
  const bool needs_value = task.goals.empty() || columns.find(value_column(space)).has_value();
  const std::size_t value_column = needs_value ? columns.at(bocs::value_column(space)) : 0;
  std::vector<std::pair<std::string, std::size_t>> metrics;
  for (const std::string& name : named_metrics(task)) metrics.emplace_back(name, columns.at(name));

  PastData data;
  std::vector<std::string> mistakes;
  std::size_t wrong = 0;
  for (std::size_t r = 1; r < records.size(); ++r) {
    const auto& fields = records[r].fields;
    try {
      check_size(records[r], header.size());
      if (needs_value ? is_missing(fields[value_column]) : is_missing(fields[metrics.front().second])) {
        ++data.skipped;
        continue;
      }
      const auto number = [&](const std::string& field) { return points.with_point(field); };
      Evaluation evaluation;
      evaluation.x = points.read(fields, nearest ? &data.moved : nullptr);
      task.constraints.check(evaluation.x);
      if (needs_value) evaluation.y = parse_value(number(fields[value_column]));
      for (const auto& [name, place] : metrics) evaluation.metrics[name] = parse_value(number(fields[place]));
      data.evaluations.push_back(std::move(evaluation));
    } catch (const InvalidArgument& error) {
      if (++wrong > kShownMistakes) continue;
      mistakes.push_back(file + ":" + std::to_string(records[r].line) + ": " + error.what());
    }
  }
  require(mistakes.empty(), [&] {
    return joined(mistakes, "; ") + (wrong > mistakes.size()
                                         ? "; and " + std::to_string(wrong - mistakes.size()) + " other rows are wrong"
                                         : "");
  });
  return data;
}

std::string to_csv(const Study& study) {
  std::vector<const Trial*> trials;
  for (const auto& trial : study.history().trials()) trials.push_back(&trial);
  return to_csv(study, trials);
}

std::string to_csv(const Study& study, std::span<const Trial* const> trials) {
  const Space& space = study.task().space;
  std::map<std::string, std::shared_ptr<const KnownSum>> metrics;  // nullptr: as reported
  for (const auto& trial : study.history().trials()) {
    for (const auto& [name, value] : trial.metrics) metrics[name];
  }
  for (const Goal& goal : study.task().goals) {
    if (goal.known != nullptr) metrics[goal.name] = goal.known;
  }
  std::set<std::string> names;
  for (const auto& [name, known] : metrics) names.insert(name);
  const bool remarks = std::any_of(trials.begin(), trials.end(), [](const Trial* t) { return !t->remark.empty(); });
  const auto columns = columns_of(space);
  const Candidates* candidates = study.task().constraints.candidates();
  std::vector<std::string> header = column_names(space, names, carried_names(candidates));
  if (remarks) header.push_back(ColumnNames(header).add("remark"));
  std::string text = csv_line(header);
  for (const Trial* listed : trials) {
    const Trial& trial = *listed;
    text += std::to_string(trial.number) + "," + std::string(word_of(trial.state));
    for (const Column& column : columns) text += "," + field(cell_text(space, trial.x, column));
    for (const auto& [name, carried] : carried_of(candidates, trial.x)) text += "," + field(carried);
    text += "," + number(study.shown(trial.y)) + "," + number(study.value(trial)) + "," + number(trial.seconds) + "," +
            field(trial.error);
    for (const auto& [name, known] : metrics) {
      const auto found = trial.metrics.find(name);
      const bool is_known = known != nullptr && !trial.x.empty();
      text += "," + (is_known ? number((*known)(trial.x)) : found == trial.metrics.end() ? "" : number(found->second));
    }
    if (remarks) text += "," + field(trial.remark);
    text += "\n";
  }
  return text;
}

}  // namespace bocs
