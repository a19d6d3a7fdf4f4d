#pragma once
// What is made by name from a spec string: methods, minimizers, regressions, problems. Each kind is one table.

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "bocs/base/error.hpp"
#include "bocs/base/options.hpp"
#include "bocs/base/text.hpp"

namespace bocs {

template <class Make>
class Registry;

/// Makes a `Made` from a spec and whatever else its kind needs, such as the space.
template <class Made, class... Context>
class Registry<Made(const Spec&, Context...)> {
 public:
  struct Row {
    std::string name;
    std::string help;
    std::function<std::vector<Option>()> options;
    std::function<Made(const Spec& spec, Context... context)> make;
  };
  struct Shorthand {
    const char* name;
    const char* spec;  // what it stands for
  };

  /// kind: in messages, "there is no KIND 'x'".
  Registry(const char* kind, std::vector<Row> rows, std::vector<Shorthand> shorthands = {})
      : kind_(kind), rows_(std::move(rows)), shorthands_(std::move(shorthands)) {}

  /// Throws InvalidArgument for a name that is taken, or that no spec could say.
  void add(Row row) {
    require(!row.name.empty() && row.name.find_first_of(":=, ") == std::string::npos && row.options && row.make, [&] {
      return std::string(kind_) + " '" + row.name + "': it needs a name without : = , or space, and functions";
    });
    const auto known = names();
    require(std::find(known.begin(), known.end(), row.name) == known.end(),
            [&] { return std::string("there is a ") + kind_ + " '" + row.name + "' already"; });
    rows_.push_back(std::move(row));
  }

  /// The spec with a shorthand written out; settings that follow the shorthand win over those it stands for.
  [[nodiscard]] Spec expand(std::string_view text) const {
    const Spec given = Spec::parse(text);
    for (const auto& shorthand : shorthands_) {
      if (given.name != shorthand.name) continue;
      Spec full = Spec::parse(shorthand.spec);
      for (const auto& [key, value] : given.settings) full.set(key, value);
      return full;
    }
    return given;
  }

  /// Throws InvalidArgument for an unknown name, and what the maker throws.
  [[nodiscard]] Made make(const Spec& spec, Context... context) const {
    for (const Row& row : rows_) {
      if (spec.name == row.name) return row.make(spec, std::forward<Context>(context)...);
    }
    const auto known = names();
    throw InvalidArgument(std::string("there is no ") + kind_ + " '" + spec.name + "'; there are " + joined(known) +
                          did_you_mean(spec.name, known));
  }

  [[nodiscard]] std::vector<RegistryEntry> list() const {
    std::vector<RegistryEntry> entries;
    for (const Row& row : rows_) {
      RegistryEntry& entry = entries.emplace_back(RegistryEntry{row.name, row.help, row.options()});
      for (const auto& shorthand : shorthands_) {
        if (Spec::parse(shorthand.spec).name != row.name) continue;
        entry.shorthands.push_back(std::string(shorthand.name) + " = " + shorthand.spec);
      }
    }
    return entries;
  }

 private:
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const Row& row : rows_) names.push_back(row.name);
    for (const auto& shorthand : shorthands_) names.emplace_back(shorthand.name);
    return names;
  }

  const char* kind_;
  std::vector<Row> rows_;
  std::vector<Shorthand> shorthands_;
};

}  // namespace bocs
