#include "bocs/study/study_file.hpp"

#include <algorithm>
#include <set>

#include "bocs/base/text.hpp"
#include "bocs/store/connection.hpp"
#include "bocs/study/command.hpp"
#include "bocs/study/study_file_constraints.hpp"
#include "bocs/study/study_file_goals.hpp"
#include "bocs/study/toml_reader.hpp"

namespace bocs {
namespace {

/// What people write elsewhere, or otherwise.
const std::map<std::string, std::string> kHints{{"choices", "did you mean 'levels'?"},
                                                {"categories", "did you mean 'levels'?"},
                                                {"options", "did you mean 'levels'?"},
                                                {"min", "did you mean 'low'?"},
                                                {"max", "did you mean 'high'?"},
                                                {"size", "did you mean 'count'?"},
                                                {"timeout", "it belongs under [objective]"},
                                                {"command", "it belongs under [objective]"},
                                                {"retries", "it belongs under [objective]"},
                                                {"keep_alive", "it belongs under [objective]"},
                                                {"keep_going", "it belongs under [objective]"},
                                                {"attempts", "it belongs under [objective]"},
                                                {"parallel", "it belongs under [objective]"},
                                                {"trials", "it belongs under [study]"},
                                                {"initial", "it belongs under [study]"},
                                                {"seed", "it belongs under [study]"},
                                                {"lambda", "it belongs under [study]"},
                                                {"outcomes", "it belongs under [study]"},
                                                {"direction", "it belongs under [study]"},
                                                {"data", "it belongs under [study]"},
                                                {"spec", "it belongs under [method]"},
                                                {"url", "it belongs under [store]"}};

/// A key whose value goes into a field.
TomlReader::Key integer_key(const TomlReader& reader, const char* key, int& field, int low) {
  return {key, [&reader, key, &field, low](const toml::node& node) {
            field = static_cast<int>(reader.whole(key, node, low));
          }};
}

TomlReader::Key text_key(const TomlReader& reader, const char* key, std::string& field) {
  return {key, [&reader, key, &field](const toml::node& node) { field = reader.text(key, node); }};
}

TomlReader::Key flag_key(const TomlReader& reader, const char* key, bool& field) {
  return {key, [&reader, key, &field](const toml::node& node) { field = reader.flag(key, node); }};
}

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
  if (type == "categorical") {
    const toml::node& levels = reader.required(table, "levels");
    const auto values = reader.list(levels, [&](const toml::node& entry) { return read_level(reader, entry); });
    return reader.at(levels, [&] { return choice(name, values); });
  }
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

double read_duration(const TomlReader& reader, const char* key, const toml::node& node) {
  if (node.is_number()) return reader.number(key, node, 0);
  const std::string written = reader.text(key, node);
  return reader.at(node, [&] {
    try {
      return parse_duration(written);
    } catch (const InvalidArgument& error) {
      throw InvalidArgument(std::string(key) + ": " + error.what());
    }
  });
}

/// The keys of [study] that are not in the spec as they stand.
struct StudyTable {
  int initial = 0;
  double lambda = 0;
  std::string penalty = "l1";
};

void read_study(const TomlReader& reader, const toml::table& table, StudyFile& file, StudyTable& study) {
  StudySpec& spec = file.spec;
  reader.read(table, {text_key(reader, "name", spec.name),
                      {"direction",
                       [&](const toml::node& node) {
                         const auto direction = reader.choice("direction", node, words_of<Sense>());
                         spec.sense = value_of<Sense>(direction).value();
                       }},
                      integer_key(reader, "trials", spec.trials, 1),
                      integer_key(reader, "initial", study.initial, 0),
                      {"seed",
                       [&](const toml::node& node) {
                         constexpr auto kMax = std::numeric_limits<std::int64_t>::max();
                         spec.task.seed = static_cast<std::uint64_t>(reader.whole("seed", node, 0, kMax));
                       }},
                      {"outcomes", [&](const toml::node& node) { spec.task.outcomes = read_outcomes(reader, node); }},
                      {"until",
                       [&](const toml::node& node) {
                         const std::string text = reader.text("until", node);
                         spec.until = reader.at(node, [&] { return StopRule::parse(text); });
                       }},
                      {"lambda", [&](const toml::node& node) { study.lambda = reader.number("lambda", node, 0); }},
                      {"penalty",
                       [&](const toml::node& node) {
                         study.penalty = reader.choice("penalty", node, {"l1", "l2"});
                       }},
                      {"data",
                       [&](const toml::node& node) {
                         file.data = file.folder / reader.text("data", node);
                         if (!std::filesystem::is_regular_file(file.data)) {
                           reader.refuse(node, "data: there is no such file: " + node.value_or(std::string()) +
                                                   " (looked for in the study file's folder)");
                         }
                       }},
                      flag_key(reader, "nearest", file.nearest)});
  (study.penalty == "l1" ? spec.task.l1 : spec.task.l2) = study.lambda;
}

void read_objective(const TomlReader& reader, const toml::table& table, StudyFile& file) {
  StudySpec& spec = file.spec;
  if (const toml::node* keep_alive = table.get("keep_alive")) {  // the command is judged by it
    spec.objective.keep_alive = reader.flag("keep_alive", *keep_alive);
  }
  reader.read(
      table,
      {{"command",
        [&](const toml::node& node) {
          if (!node.is_array() || node.as_array()->empty()) {
            reader.refuse("command", node, "a list of texts, the program first: [\"python3\", \"simulate.py\"]");
          }
          for (const auto& entry : *node.as_array()) {
            const auto value = entry.value_exact<std::string>();
            if (!value) reader.refuse("command", entry, "texts in quotes");
            spec.objective.command.push_back(*value);
          }
          CommandOptions options{.arguments = spec.objective.command};
          options.keep_alive = spec.objective.keep_alive;
          reader.at(node, [&] { (void)command(options, spec.task.space); });
        }},
       {"timeout",
        [&](const toml::node& node) { spec.objective.timeout_seconds = read_duration(reader, "timeout", node); }},
       integer_key(reader, "retries", spec.objective.retries, 0),
       {"keep_alive", [](const toml::node&) {}},
       flag_key(reader, "keep_going", spec.objective.keep_going),
       integer_key(reader, "attempts", spec.attempts, 1),
       integer_key(reader, "parallel", spec.parallel, 1)});
}

/// SQLite files are meant from the folder of the study file; shown as the person named that one.
std::string store_url(const std::filesystem::path& study_file, const std::string& url) {
  const auto file = sqlite_file(url);
  return file ? sqlite_url((study_file.parent_path() / *file).string()) : url;
}

}  // namespace

StudyFile load_study_file(const std::filesystem::path& path) {
  TomlReader reader(path);
  reader.set_hints(kHints);
  const toml::table& root = reader.root();
  const Space space = read_variables(reader, reader.required(root, "variables"));
  StudyFile file{
      {.name = path.stem().string(), .task = {.space = space, .seed = 1}, .trials = 100}, {}, {}, {}, {}, {}};
  file.folder = std::filesystem::absolute(path).parent_path();
  std::string url = sqlite_url(path.stem().string() + ".db");
  StudyTable study;

  const auto table = [&](const char* name, const std::function<void(const toml::table&)>& read) {
    return TomlReader::Key(name, [&reader, name, read](const toml::node& node) { read(reader.table(name, node)); });
  };
  Constraints& constraints = file.spec.task.constraints;
  reader.read(
      root,
      {table("study", [&](const toml::table& t) { read_study(reader, t, file, study); }),
       {"variables", [](const toml::node&) {}},
       {"constraints",
        [&](const toml::node& node) { constraints = read_constraints(reader, node, space, file.folder); }},
       {"goals",
        [&](const toml::node& node) {
          file.spec.task.goals = read_goals(reader, node, space);
          file.spec.sense = file.spec.task.goals.front().sense;
        }},
       table("default", [&](const toml::table& t) { file.spec.task.present = read_default(reader, t, space); }),
       table("objective", [&](const toml::table& t) { read_objective(reader, t, file); }),
       table("method", [&](const toml::table& t) { reader.read(t, {text_key(reader, "spec", file.spec.method)}); }),
       table("store", [&](const toml::table& t) {
         reader.read(t, {{"url", [&](const toml::node& node) {
                            url = reader.text("url", node);
                            reader.at(node, [&] { check_url(url); });
                          }}});
       })});
  const toml::node* direction = root.at_path("study.direction").node();
  if (direction != nullptr && !file.spec.task.goals.empty()) {
    reader.refuse(*direction, "direction: with [[goals]], each goal has its own; leave this one out");
  }
  if (root.get("constraints") == nullptr) {
    reader.at(reader.required(root, "variables"), [&] { file.spec.task.constraints = Constraints(space, {}); });
  }
  file.store = store_url(path, url);

  // The method must fit the space; say so at its line, or at the first variable's when it was not chosen.
  const toml::node* method = root.at_path("method.spec").node();
  const toml::node& place = method != nullptr ? *method : reader.required(root, "variables");
  reader.at(place, [&] {
    file.spec.method = method_spec_with_initial(file.spec.method, study.initial).text();
    file.spec.task.trials = file.spec.trials;
    file.spec.check();
    file.method = make_method(file.spec);
  });
  return file;
}

}  // namespace bocs
