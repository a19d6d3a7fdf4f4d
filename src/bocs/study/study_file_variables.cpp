#include "bocs/study/study_file_variables.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "bocs/base/text.hpp"

namespace bocs {
namespace {

/// Names appear in messages, tables, placeholders {name} and references name=value: these must stay readable.
void check_name(const TomlReader& reader, const toml::node& node, const std::string& name) {
  const auto unfit = [](char c) { return static_cast<unsigned char>(c) < 32 || c == 127 || c == '='; };
  const bool braces = name.find_first_of("{}") != std::string::npos;
  if (braces || name.starts_with(' ') || name.ends_with(' ') || std::any_of(name.begin(), name.end(), unfit)) {
    reader.refuse("name", node, "a name without =, { and }, control characters, and spaces at its ends");
  }
}

const std::vector<std::string> kStructures{"subset", "permutation", "multiset", "assignment", "mixture"};
const std::vector<std::string> kTypes{"binary", "integer",     "real",     "ordinal",    "categorical",
                                      "subset", "permutation", "multiset", "assignment", "mixture"};

/// The keys of a variable besides name, type and count, and the types they belong to.
const std::vector<std::pair<std::string, std::set<std::string>>> kOwnKeys{
    {"items", {"subset", "permutation", "multiset", "assignment"}},
    {"size", {"subset", "multiset"}},
    {"symmetric", {"categorical"}},
    {"places", {"assignment"}},
    {"capacity", {"assignment"}},
    {"forbidden", {"assignment"}},
    {"parts", {"mixture"}},
    {"total", {"mixture"}},
    {"at_most", {"mixture"}},
    {"least", {"mixture"}},
    {"levels", {"categorical"}},
    {"describe", {"categorical"}},
    {"values", {"ordinal"}},
    {"low", {"integer", "real", "mixture"}},
    {"high", {"integer", "real", "mixture"}},
    {"steps", {"integer", "real"}},
    {"step", {"integer", "real", "mixture"}},
    {"log", {"integer", "real"}}};

std::string read_type(const TomlReader& reader, const toml::table& table) {
  const toml::node& node = reader.required(table, "type");
  const auto written = node.value_exact<std::string>();
  if (written == "float" || written == "double" || written == "continuous") {
    reader.refuse("type", node, "\"real\", with low, high and steps or step: a grid of numbers");
  }
  const std::string type = reader.choice("type", node, kTypes);
  for (const auto& [key, types] : kOwnKeys) {
    if (!table.contains(key) || types.contains(type)) continue;
    reader.refuse(*table.get(key), "found '" + key + "'; allowed: only with type = \"" +
                                       joined({types.begin(), types.end()}, "\" or \"") + "\"");
  }
  return type;
}

Spacing read_spacing(const TomlReader& reader, const toml::table& table) {
  Spacing spacing;
  if (const auto* steps = table.get("steps")) {
    spacing.steps = static_cast<int>(reader.whole("steps", *steps, 1, Spacing::kMostSteps));
  }
  if (const auto* step = table.get("step")) {
    spacing.step = reader.number("step", *step, 0);
    if (spacing.step == 0) reader.refuse("step", *step, "a number above 0");
  }
  if (const auto* log = table.get("log")) {
    spacing.log = reader.flag("log", *log);
  }
  return spacing;
}

std::optional<double> number_in(std::string cell, char separator) {
  if (separator == ';') std::replace(cell.begin(), cell.end(), ',', '.');
  double value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc() || end != cell.data() + cell.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

/// A level keeps its type: the program then reads 16, not "16".
LevelValue read_level(const TomlReader& reader, const toml::node& node) {
  if (const auto flag = node.value_exact<bool>()) return *flag;
  if (const auto whole = node.value_exact<std::int64_t>()) return *whole;
  if (node.is_number()) return reader.number("levels", node);
  return reader.text("levels", node);
}

Value to_value(const TomlReader& reader, const toml::node& node) {
  if (const auto* array = node.as_array()) {
    Value::List list;
    for (const auto& entry : *array) list.push_back(to_value(reader, entry));
    return list;
  }
  if (const auto* table = node.as_table()) {
    Value::Map map;
    for (const auto& [key, entry] : *table) map.emplace_back(std::string(key.str()), to_value(reader, entry));
    return map;
  }
  return read_level(reader, node);
}

/// A structure has in a study file the keys of its definition.
Variable make_structure(const TomlReader& reader, const toml::table& table, const std::string& name,
                        const std::string& type) {
  Value::Map definition{{"kind", type}};
  for (const auto& [key, node] : table) {
    const std::string text(key.str());
    if (text != "name" && text != "type") definition.emplace_back(text, to_value(reader, node));
  }
  return reader.at(table, [&] { return variable_from(name, definition); });
}

/// An array of slots whose order means nothing: one multiset of their levels.
Variable make_symmetric(const TomlReader& reader, const toml::table& table, const std::string& name) {
  const toml::node& levels = reader.required(table, "levels");
  const auto values = reader.list(levels, [&](const toml::node& entry) { return read_level(reader, entry); });
  const auto count = reader.whole("count", reader.required(table, "count"), 1);
  return reader.at(levels, [&] { return multiset(name, Items(values), static_cast<int>(count)); });
}

/// The file of `describe`: its first column names the levels, the others are numbers. Without `levels` its rows are
/// the levels.
Variable make_described(const TomlReader& reader, const toml::node& node, const std::string& name,
                        std::vector<LevelValue> levels) {
  const std::string file = reader.text("describe", node);
  const CsvTable table = reader.at(node, [&] { return read_csv_table(reader.folder() / file); });
  const auto refuse = [&](const std::string& why) { reader.refuse(node, file + ": " + why); };
  if (table.columns.size() < 2) refuse("found one column; allowed: a first one that names the levels, and numbers");
  if (levels.empty()) {
    for (const auto& row : table.rows) levels.emplace_back(row.front());
  }
  Descriptions described{{table.columns.begin() + 1, table.columns.end()}, {}};
  for (const LevelValue& level : levels) {
    const auto is_its = [&](const auto& row) { return row.front() == text_of(level); };
    const auto found = std::find_if(table.rows.begin(), table.rows.end(), is_its);
    if (found == table.rows.end()) refuse("there is no row for the level '" + text_of(level) + "' of " + name);
    auto& numbers = described.rows.emplace_back();
    for (std::size_t k = 1; k < found->size(); ++k) {
      const auto number = number_in((*found)[k], table.separator);
      if (!number) {
        refuse("the level '" + text_of(level) + "' has '" + (*found)[k] + "' as " + table.columns[k] +
               "; allowed: a finite number");
      }
      numbers.push_back(*number);
    }
  }
  return reader.at(node, [&] { return choice(name, std::move(levels), std::move(described)); });
}

Variable make_categorical(const TomlReader& reader, const toml::table& table, const std::string& name) {
  const toml::node* describe = table.get("describe");
  std::vector<LevelValue> values;
  if (describe == nullptr || table.contains("levels")) {
    const toml::node& levels = reader.required(table, "levels");
    values = reader.list(levels, [&](const toml::node& entry) { return read_level(reader, entry); });
    if (describe == nullptr) return reader.at(levels, [&] { return choice(name, values); });
  }
  return make_described(reader, *describe, name, std::move(values));
}

Variable make_variable(const TomlReader& reader, const toml::table& table, const std::string& name) {
  const std::string type = read_type(reader, table);
  if (type == "binary") return binary(name);
  if (std::find(kStructures.begin(), kStructures.end(), type) != kStructures.end()) {
    return make_structure(reader, table, name, type);
  }
  if (type == "ordinal") {
    const toml::node& node = reader.required(table, "values");
    const auto values = reader.list(node, [&](const toml::node& entry) { return reader.number("values", entry); });
    return reader.at(node, [&] { return ordinal(name, values); });
  }
  if (type == "categorical") return make_categorical(reader, table, name);
  const toml::node &low = reader.required(table, "low"), &high = reader.required(table, "high");
  const Spacing spacing = read_spacing(reader, table);
  if (type == "real") {
    const double from = reader.number("low", low), to = reader.number("high", high);
    return reader.at(high, [&] { return real(name, from, to, spacing); });
  }
  const auto from = static_cast<int>(reader.whole("low", low, std::numeric_limits<int>::min()));
  const auto to = static_cast<int>(reader.whole("high", high, from));
  return reader.at(high, [&] { return integer(name, from, to, spacing); });
}

/// What tells the elements of an array apart: 0, 1, 2, ... of `count`, or `names`. Empty: it is no array.
std::vector<std::string> read_elements(const TomlReader& reader, const toml::table& table) {
  const toml::node* count = table.get("count");
  const toml::node* names = table.get("names");
  std::vector<std::string> elements;
  if (names != nullptr) {
    if (!names->is_array() || names->as_array()->empty()) reader.refuse("names", *names, "a list of texts");
    std::set<std::string> known;
    for (const auto& entry : *names->as_array()) {
      elements.push_back(reader.text("names", entry));
      check_name(reader, entry, elements.back());
      if (elements.back().find_first_of("[]") != std::string::npos) reader.refuse("names", entry, "no [ and ]");
      if (!known.insert(elements.back()).second) reader.refuse("names", entry, "each name once");
    }
  }
  if (count == nullptr) return elements;
  const auto size = static_cast<std::size_t>(reader.whole("count", *count, 1, Space::kMaxVariables));
  if (names != nullptr && size != elements.size()) {
    reader.refuse("count", *count, "the number of names, " + std::to_string(elements.size()) + ", or none at all");
  }
  for (std::size_t i = elements.size(); i < size; ++i) elements.push_back(std::to_string(i));
  return elements;
}

/// The key at the top or under [study]; nullptr: neither.
const toml::node* find_candidates_key(const TomlReader& reader, const char* key) {
  const toml::node* top = reader.root().get(key);
  return top != nullptr ? top : reader.root().at_path(std::string("study.") + key).node();
}

}  // namespace

Space read_variables(const TomlReader& reader, const toml::node& node) {
  const toml::array* tables = node.as_array();
  if (tables == nullptr || tables->empty() || !tables->is_array_of_tables()) {
    reader.refuse("variables", node, "[[variables]] tables");
  }
  std::vector<Variable> variables;
  std::set<std::string> names;
  for (const auto& entry : *tables) {
    const toml::table& table = *entry.as_table();
    const auto nothing = [](const toml::node&) {};
    TomlReader::Keys keys{
        {"name", nothing}, {"type", nothing}, {"count", nothing}, {"names", nothing}, {"when", nothing}};
    for (const auto& [key, types] : kOwnKeys) keys.emplace_back(key, nothing);
    reader.read(table, keys);
    const toml::node& name_node = reader.required(table, "name");
    const std::string name = reader.text("name", name_node);
    check_name(reader, name_node, name);
    if (!names.insert(name).second) reader.refuse(name_node, "two variables are called '" + name + "'");
    Variable variable = make_variable(reader, table, name);
    if (const toml::node* condition = table.get("when")) {
      const std::string text = reader.text("when", *condition);
      variable = reader.at(*condition, [&] { return when(text, std::move(variable)); });
    }
    const toml::node* symmetric = table.get("symmetric");
    if (symmetric != nullptr && reader.flag("symmetric", *symmetric)) {
      variables.push_back(make_symmetric(reader, table, name));
      continue;
    }
    const auto elements = read_elements(reader, table);
    for (const auto& element : elements) {
      variable.name = name + "[" + element + "]";
      variables.push_back(variable);
    }
    if (elements.empty()) variables.push_back(std::move(variable));
  }
  return reader.at(node, [&] { return Space(std::move(variables)); });
}

const toml::node& place_of_space(const TomlReader& reader) {
  const toml::node* candidates = find_candidates_key(reader, "candidates");
  const toml::node* variables = reader.root().get("variables");
  return variables == nullptr && candidates != nullptr ? *candidates : reader.required(reader.root(), "variables");
}

std::optional<CandidateTable> read_candidates(const TomlReader& reader) {
  const toml::node* node = find_candidates_key(reader, "candidates");
  const toml::node* carry = find_candidates_key(reader, "carry");
  if (node == nullptr && carry != nullptr) reader.refuse(*carry, "carry: allowed only with candidates = \"FILE\"");
  if (node == nullptr) return std::nullopt;
  const std::string file = reader.text("candidates", *node);
  CandidateOptions options{.where = file};
  if (carry != nullptr) {
    options.carried = reader.list(*carry, [&](const toml::node& entry) { return reader.text("carry", entry); });
  }
  if (const toml::node* variables = reader.root().get("variables")) options.space = read_variables(reader, *variables);
  return reader.at(*node, [&] { return candidate_table(read_csv_table(reader.folder() / file), options); });
}

}  // namespace bocs
