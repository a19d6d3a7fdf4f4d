#include "bocs/study/study_file_constraints.hpp"

#include <map>
#include <optional>

#include "bocs/core/text.hpp"

namespace bocs {
namespace {

constexpr const char* kKinds =
    "one of at_most, at_least, exactly (each with of), exclusive, forbidden, required, if with then, linear with "
    "\"<=\", "
    "\">=\" or \"==\"";

/// What people call the variables: each by its name, and an array station[0], station[1], ... by "station".
class Names {
 public:
  explicit Names(const Space& space) : space_(space) {
    for (int i = 0; i < space.dimension(); ++i) {
      const std::string& name = space[i].name;
      members_[name] = {i};
      known_.push_back(name);
      const auto bracket = name.rfind('[');
      if (bracket == std::string::npos || bracket == 0 || !name.ends_with(']')) continue;
      const std::string array = name.substr(0, bracket);
      if (members_[array].empty()) known_.push_back(array);
      members_[array].push_back(i);
    }
  }

  [[nodiscard]] const std::vector<int>& find(const std::string& name) const {
    const auto found = members_.find(name);
    if (found != members_.end()) return found->second;
    std::string text = "there is no variable '" + name + "'" + did_you_mean(name, known_);
    if (known_.size() <= 20) {
      text += "; allowed:";
      for (const auto& word : known_) text += (word == known_.front() ? " " : ", ") + word;
    }
    throw InvalidArgument(text);
  }
  [[nodiscard]] const Variable& variable(int i) const { return space_[i]; }

 private:
  const Space& space_;
  std::map<std::string, std::vector<int>> members_;
  std::vector<std::string> known_;
};

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
    const Variable& v = names.variable(i);
    require(reference.is || v.kind == Kind::binary, [&] {
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
  ConstraintReader(const TomlReader& reader, const Names& names) : reader_(reader), names_(names) {}

  std::vector<Constraint> read(const toml::table& table) {
    std::vector<Constraint> made;
    const auto count = [&](auto make) {
      return [this, make, &made, &table](const toml::node& node) {
        const auto n = static_cast<int>(reader_.whole("count", node, 0));
        made.push_back(make(n, read_choices(reader_.required(table, "of"))));
      };
    };
    const auto of_choices = [&](auto make) {
      return [this, make, &made](const toml::node& node) { made.push_back(make(read_choices(node))); };
    };
    const auto nothing = [](const toml::node&) {};  // read together with its partner
    reader_.read(table, {{"at_most", count(constraint::at_most)},
                         {"at_least", count(constraint::at_least)},
                         {"exactly", count(constraint::exactly)},
                         {"of", nothing},
                         {"exclusive", of_choices(constraint::mutually_exclusive)},
                         {"forbidden", of_choices(constraint::forbidden)},
                         {"required", of_choices([](const Choices& then) { return constraint::required({}, then); })},
                         {"if",
                          [&](const toml::node& node) {
                            const Choices where = read_choices(node);
                            made.push_back(constraint::required(where, read_choices(reader_.required(table, "then"))));
                          }},
                         {"then", nothing},
                         {"linear", [&](const toml::node& node) { read_linear(node, table, made); }},
                         {"<=", nothing},
                         {">=", nothing},
                         {"==", nothing}});
    check_partners(table, made.size());
    return made;
  }

 private:
  Choices read_choices(const toml::node& node) const {
    const auto lists = reader_.list(node, [&](const toml::node& entry) {
      const std::string text = reader_.text("constraint", entry);
      return reader_.at(entry, [&] { return choices(names_, text); });
    });
    Choices all;
    for (const auto& list : lists) all.insert(all.end(), list.begin(), list.end());
    if (all.empty()) reader_.refuse("constraint", node, "at least one name, or name=value");
    return all;
  }

  /// linear = { station = 2, "depot=river" = -1 } with one or two of "<=", ">=", "==".
  void read_linear(const toml::node& node, const toml::table& table, std::vector<Constraint>& made) const {
    std::vector<Term> terms;
    for (const auto& [key, weight_node] : reader_.table("linear", node)) {
      const Reference reference{std::string(key.str())};
      const double weight = reader_.number(std::string(key.str()), weight_node);
      reader_.at(weight_node, [&] {
        for (const int i : names_.find(reference.name)) {
          const Variable& v = names_.variable(i);
          require(reference.is || v.kind != Kind::categorical, [&] {
            return "the categorical '" + v.name + "' has no size: write \"" + v.name + "=" + v.labels.front() + "\"";
          });
          if (reference.is) (void)parse_level(v, *reference.is);
          terms.push_back({v.name, reference.is, weight});
        }
      });
    }
    for (const char* relation : {"<=", ">=", "=="}) {
      const toml::node* bound = table.get(relation);
      if (bound != nullptr) made.push_back(constraint::linear(terms, relation, reader_.number(relation, *bound)));
    }
    if (made.empty()) reader_.refuse(node, "linear: found no bound; allowed: \"<=\", \">=\" or \"==\" beside it");
  }

  /// Exactly one kind in a table, and no `of`, `then` or bound without it.
  void check_partners(const toml::table& table, std::size_t made) const {
    const auto has = [&](const char* key) { return table.contains(key); };
    int kinds = 0;
    for (const char* kind : {"at_most", "at_least", "exactly", "exclusive", "forbidden", "required", "if", "linear"}) {
      kinds += has(kind) ? 1 : 0;
    }
    if (kinds != 1 || made == 0) {
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
};

}  // namespace

Constraints read_constraints(const TomlReader& reader, const toml::node& node, const Space& space) {
  const toml::array* tables = node.as_array();
  if (tables == nullptr || !tables->is_array_of_tables()) reader.refuse("constraints", node, "[[constraints]] tables");
  const Names names(space);
  ConstraintReader constraint_reader(reader, names);
  std::vector<Constraint> list;
  for (const auto& entry : *tables) {
    const auto made = constraint_reader.read(*entry.as_table());
    list.insert(list.end(), made.begin(), made.end());
  }
  return reader.at(*tables->get(0), [&] { return Constraints(space, std::move(list)); });
}

}  // namespace bocs
