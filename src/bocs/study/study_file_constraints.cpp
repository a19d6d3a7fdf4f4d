#include "bocs/study/study_file_constraints.hpp"

#include <algorithm>
#include <optional>

#include "bocs/base/text.hpp"
#include "bocs/rule/language.hpp"
#include "bocs/study/csv.hpp"

namespace bocs {
namespace {

constexpr const char* kKinds =
    "one of rule, allowed, at_most, at_least, exactly (each with of), exclusive, forbidden, required, if with then, "
    "linear with "
    "\"<=\", "
    "\">=\" or \"==\"";

/// "pump", "station" (each of the array), "depot=river": a name, and the value it should have if one is given.
struct Reference {
  std::string name;
  std::optional<std::string> is;

  explicit Reference(const std::string& text) {
    const auto sign = text.find('=');
    name = text.substr(0, sign);
    if (sign != std::string::npos) is = text.substr(sign + 1);
    for (std::string* part : {&name, is ? &*is : &name}) {
      const auto first = part->find_first_not_of(' ');
      *part = first == std::string::npos ? "" : part->substr(first, part->find_last_not_of(' ') - first + 1);
    }
  }
};

Choices choices(const Names& names, const std::string& text) {
  const Reference reference(text);
  Choices result;
  for (const int i : names.find(reference.name)) {
    const Coordinate& v = names.space()[i];
    require(reference.is || v.is_bit(), [&] {
      return "'" + text + "' does not say which value of '" + v.name + "': write " + v.name + "=" + format_level(v, 0);
    });
    const std::string is = reference.is.value_or("1");
    (void)parse_level(v, is);  // throws
    result.push_back({v.name, is});
  }
  return result;
}

class ConstraintReader {
 public:
  ConstraintReader(const TomlReader& reader, const Names& names, std::filesystem::path folder)
      : reader_(reader), names_(names), folder_(std::move(folder)) {}

  std::vector<Constraint> read(const toml::table& table) {
    if (count_kinds(table) > 1) check_partners(table);  // before one of them is missed as the partner of another
    std::vector<Constraint> made;
    const auto add = [&](Constraint constraint, const std::string& text) {
      constraint.text = text;
      made.push_back(std::move(constraint));
    };
    const auto count = [&](const char* key, const char* words, auto make) {
      return [this, key, words, make, &add, &table](const toml::node& node) {
        const auto n = static_cast<int>(reader_.whole(key, node, 0));
        const Named of = read_choices(reader_.required(table, "of"));
        add(make(n, of.choices), words + (" " + std::to_string(n)) + " of " + joined(of.words));
      };
    };
    const auto together = [&](const char* words, const char* separator, auto make) {
      return [this, words, separator, make, &add](const toml::node& node) {
        const Named named = read_choices(node);
        add(make(named.choices), words + joined(named.words, separator));
      };
    };
    const auto required = [](const Choices& then) { return constraint::required({}, then); };
    const auto nothing = [](const toml::node&) {};  // read together with its partner
    const auto rule = [&](const toml::node& node) {
      const std::string text = reader_.text("rule", node);
      reader_.at(node, [&] { (void)compile_rules(text, names_); });
      made.push_back(constraint::rule(text));
    };
    const auto allowed = [&](const toml::node& node) { made.push_back(read_table("allowed", node)); };
    const auto forbid = [&](const toml::node& node) {
      if (is_table(node)) return made.push_back(read_table("forbidden", node));
      together("forbidden: ", " and ", [](const Choices& of) { return constraint::forbidden(of); })(node);
    };
    reader_.read(table, {{"rule", rule},
                         {"allowed", allowed},
                         {"at_most", count("at_most", "at most", constraint::at_most)},
                         {"at_least", count("at_least", "at least", constraint::at_least)},
                         {"exactly", count("exactly", "exactly", constraint::exactly)},
                         {"of", nothing},
                         {"exclusive", together("mutually exclusive: ", ", ", constraint::mutually_exclusive)},
                         {"forbidden", forbid},
                         {"required", together("required: ", " and ", required)},
                         {"if",
                          [&](const toml::node& node) {
                            const Named where = read_choices(node);
                            const Named then = read_choices(reader_.required(table, "then"));
                            add(constraint::required(where.choices, then.choices),
                                "required: " + joined(then.words, " and ") + " where " + joined(where.words, " and "));
                          }},
                         {"then", nothing},
                         {"linear", [&](const toml::node& node) { read_linear(node, table, made); }},
                         {"<=", nothing},
                         {">=", nothing},
                         {"==", nothing}});
    check_partners(table);
    return made;
  }

 private:
  /// Choices, and how the file names them: "station" for all of an array.
  struct Named {
    Choices choices;
    std::vector<std::string> words;
  };

  Named read_choices(const toml::node& node) const {
    Named all;
    reader_.list(node, [&](const toml::node& entry) {
      const std::string text = reader_.text("constraint", entry);
      const Choices named = reader_.at(entry, [&] { return choices(names_, text); });
      all.choices.insert(all.choices.end(), named.begin(), named.end());
      all.words.push_back(text);
      return true;
    });
    if (all.choices.empty()) reader_.refuse("constraint", node, "at least one name, or name=value");
    return all;
  }

  /// forbidden = "pairs.csv": a file, not the name of a variable.
  [[nodiscard]] bool is_table(const toml::node& node) const {
    const auto text = node.value_exact<std::string>();
    return text && text->ends_with(".csv") && !names_.has(*text);
  }

  Constraint read_table(const char* key, const toml::node& node) const {
    const std::string file = reader_.text(key, node);
    return reader_.at(node, [&] {
      const CsvTable table = read_csv_table(folder_ / file);
      const bool allow = std::string_view(key) == "allowed";
      Constraint made =
          allow ? constraint::allowed(table.columns, table.rows) : constraint::forbidden(table.columns, table.rows);
      (void)compile_rules(made.rule, names_);
      made.text = std::string(key) + ": the " + std::to_string(table.rows.size()) + " rows of " + file;
      return made;
    });
  }

  /// One weight for each of `count` variables, or a list of weights.
  std::vector<double> weights(const std::string& key, const toml::node& node, std::size_t count) const {
    if (!node.is_array()) return std::vector(count, reader_.number(key, node));
    const auto list = reader_.list(node, [&](const toml::node& entry) { return reader_.number(key, entry); });
    if (list.size() != count) {
      reader_.refuse(key, node, "a number, or a list of " + std::to_string(count) + " numbers, one for each");
    }
    return list;
  }

  /// What one key of `linear` adds: terms, and in words "2 station" or "[9 7 6] size".
  struct Weighted {
    std::vector<Term> terms;
    std::string text;
    int first = 0;  // index of its first variable
  };

  Weighted read_weighted(const std::string& key, const toml::node& node) const {
    const Reference reference{key};
    const auto members = reader_.at(node, [&] { return names_.find(reference.name); });
    const auto weight = weights(key, node, members.size());
    Weighted result{{}, "", members.front()};
    for (std::size_t k = 0; k < members.size(); ++k) {
      const Coordinate& v = names_.space()[members[k]];
      reader_.at(node, [&] {
        require(reference.is || v.has_value(), [&] {
          return "the categorical '" + v.name + "' has no size: write \"" + v.name + "=" + v.labels.front() + "\"";
        });
        if (reference.is) (void)parse_level(v, *reference.is);
      });
      result.terms.push_back({v.name, reference.is, weight[k]});
    }
    const std::string name = reference.is ? "[" + key + "]" : key;
    if (node.is_array()) {
      std::vector<std::string> numbers;
      for (const double w : weight) numbers.push_back(shortest(w));
      result.text = " + [" + joined(numbers, " ") + "] " + name;
    } else {
      const double size = std::abs(weight.front());
      result.text = (weight.front() < 0 ? " - " : " + ") + (size == 1 ? "" : shortest(size) + " ") + name;
    }
    return result;
  }

  /// linear = { station = 2, size = [9, 7, 6], "depot=river" = -1 } with one or two of "<=", ">=", "==".
  void read_linear(const toml::node& node, const toml::table& table, std::vector<Constraint>& made) const {
    std::vector<Weighted> parts;
    std::vector<Term> terms;
    if (!node.is_table()) {
      reader_.refuse("linear", node,
                     "a table of weights, such as linear = { pump = 1, crew = 2 } and \"<=\" = 10 beside it");
    }
    for (const auto& [key, weight_node] : *node.as_table()) {
      parts.push_back(read_weighted(std::string(key.str()), weight_node));
      terms.insert(terms.end(), parts.back().terms.begin(), parts.back().terms.end());
    }
    // The parser sorts the keys as texts, station[10] before station[2]; people read them in the order of the
    // variables.
    std::stable_sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::string text;
    for (const auto& part : parts) text += part.text;
    text = text.starts_with(" + ") ? text.substr(3) : text.empty() ? "0" : "-" + text.substr(3);
    for (const char* relation : {"<=", ">=", "=="}) {
      const toml::node* node_of_bound = table.get(relation);
      if (node_of_bound == nullptr) continue;
      const double bound = reader_.number(relation, *node_of_bound);
      made.push_back(constraint::linear(terms, relation, bound));
      made.back().text = text + " " + relation + " " + shortest(bound);
    }
    if (made.empty()) reader_.refuse(node, "linear: found no bound; allowed: \"<=\", \">=\" or \"==\" beside it");
  }

  static int count_kinds(const toml::table& table) {
    const std::vector<const char*> kinds = {"rule",      "allowed",   "at_most",  "at_least", "exactly",
                                            "exclusive", "forbidden", "required", "if",       "linear"};
    return static_cast<int>(
        std::count_if(kinds.begin(), kinds.end(), [&](const char* kind) { return table.contains(kind); }));
  }

  /// Exactly one kind in a table, and no `of`, `then` or bound without it.
  void check_partners(const toml::table& table) const {
    const auto has = [&](const char* key) { return table.contains(key); };
    const int kinds = count_kinds(table);
    if (kinds != 1) {
      reader_.refuse(table, "found " + std::to_string(kinds) + " kinds of constraint in one table; allowed: " + kKinds);
    }
    const bool counting = has("at_most") || has("at_least") || has("exactly");
    const auto stray = [&](const char* key, bool wanted) {
      if (has(key) && !wanted) {
        reader_.refuse(*table.get(key), std::string("found '") + key + "' without its partner; allowed: " + kKinds);
      }
    };
    stray("of", counting);
    stray("then", has("if"));
    for (const char* relation : {"<=", ">=", "=="}) stray(relation, has("linear"));
  }

  const TomlReader& reader_;
  const Names& names_;
  std::filesystem::path folder_;
};

}  // namespace

Constraints read_constraints(const TomlReader& reader, const toml::node& node, const Space& space,
                             const std::filesystem::path& folder, std::shared_ptr<const Candidates> candidates) {
  const toml::array* tables = node.as_array();
  if (tables == nullptr || !tables->is_array_of_tables()) reader.refuse("constraints", node, "[[constraints]] tables");
  const Names names(space);
  ConstraintReader constraint_reader(reader, names, folder);
  std::vector<Constraint> list;
  for (const auto& entry : *tables) {
    const auto made = constraint_reader.read(*entry.as_table());
    list.insert(list.end(), made.begin(), made.end());
  }
  return reader.at(*tables->get(0), [&] { return Constraints(space, std::move(list), std::move(candidates)); });
}

}  // namespace bocs
