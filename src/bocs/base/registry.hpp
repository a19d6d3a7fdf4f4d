#pragma once
// What is made by name from a spec string: methods, minimizers, regressions, problems. Each kind is one table.

#include <memory>
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
    const char* name;
    const char* help;
    std::vector<Option> (*options)();
    Made (*make)(const Spec& spec, Context... context);
  };
  struct Shorthand {
    const char* name;
    const char* spec;  // what it stands for
  };

  /// kind: in messages, "there is no KIND 'x'".
  Registry(const char* kind, std::vector<Row> rows, std::vector<Shorthand> shorthands = {})
      : kind_(kind), rows_(std::move(rows)), shorthands_(std::move(shorthands)) {}

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
    std::vector<std::string> known;
    for (const Row& row : rows_) {
      if (spec.name == row.name) return row.make(spec, std::forward<Context>(context)...);
      known.emplace_back(row.name);
    }
    for (const auto& shorthand : shorthands_) known.emplace_back(shorthand.name);
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
  const char* kind_;
  std::vector<Row> rows_;
  std::vector<Shorthand> shorthands_;
};

/// The maker of a Type that needs nothing but its options.
template <class Base, class Type, class Options>
std::unique_ptr<Base> make_from_options(const Spec& spec) {
  return std::make_unique<Type>(parse_options<Options>(spec));
}

}  // namespace bocs
