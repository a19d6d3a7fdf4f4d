#pragma once
// Spec strings, the only configuration language: "name:key=value,key=value". The table that an options struct describes
// itself in feeds the parser, the range checks, the printed lists and the documentation.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bocs/base/words.hpp"

namespace bocs {

/// "bocs:order=3,model.sweeps=500" -> name "bocs", settings {order, 3}, {model.sweeps, 500}.
struct Spec {
  std::string name;
  std::vector<std::pair<std::string, std::string>> settings;

  static Spec parse(std::string_view text);                    // throws InvalidArgument, also for a key given twice
  [[nodiscard]] std::string text() const;                      // the inverse
  void set(const std::string& key, const std::string& value);  // in the place of an earlier value, or at the end
  /// Removes the settings whose key starts with "prefix." and returns them, without the prefix, as a spec called
  /// `name`.
  Spec take(const std::string& prefix, const std::string& name);
};

/// The text of a spec in which a key may be given several times, with the last value of each: version 0.1 stored such
/// ones.
std::string without_repeats(std::string_view text);

/// One row of an options table.
struct Option {
  std::string name;
  std::string value;    // the current one, as text
  std::string allowed;  // "0 to 8", "true or false", "flat, mean"
  std::string help;
  std::function<void(const std::string&)> assign;  // throws InvalidArgument
};

/// One row of a printed list: a method, a problem, a part of a method.
struct RegistryEntry {
  std::string name;
  std::string help;
  std::vector<Option> options;
  std::vector<std::string> shorthands = {};  // "bocs-sdp = bocs:minimizer=sdp"
};

/// Filled by the `describe(OptionTable&)` member of an options struct, with references to its fields.
class OptionTable {
 public:
  void integer(const std::string& name, int& field, int low, int high, const std::string& help);
  /// "auto" where nothing is set.
  void integer(const std::string& name, std::optional<int>& field, int low, int high, const std::string& help);
  void real(const std::string& name, double& field, double low, double high, const std::string& help);
  void boolean(const std::string& name, bool& field, const std::string& help);
  void text(const std::string& name, std::string& field, const std::string& help);  // free text, such as a file name

  /// One of the words of an enum (base/words.hpp).
  template <class Enum>
  void choice(const std::string& name, Enum& field, const std::string& help) {
    choice(name, std::string(word_of(field)), words_of<Enum>(), help,
           [&field](const std::string& word) { field = *value_of<Enum>(word); });
  }
  /// The same; "auto" where nothing is set.
  template <class Enum>
  void choice(const std::string& name, std::optional<Enum>& field, const std::string& help) {
    std::vector<std::string> allowed = words_of<Enum>();
    allowed.insert(allowed.begin(), "auto");
    choice(name, field ? std::string(word_of(*field)) : "auto", std::move(allowed), help,
           [&field](const std::string& word) { field = value_of<Enum>(word); });
  }
  /// One of words that are known at run time only.
  void choice(const std::string& name, std::string& field, std::vector<std::string> allowed, const std::string& help) {
    choice(name, field, std::move(allowed), help, [&field](const std::string& word) { field = word; });
  }
  /// The same; `assign` is given the word.
  void choice(const std::string& name, const std::string& value, std::vector<std::string> allowed,
              const std::string& help, std::function<void(const std::string&)> assign);

  /// Assigns every setting of the spec; an unknown key or a value out of bounds throws InvalidArgument naming both.
  void apply(const Spec& spec);
  /// Throws InvalidArgument for a field whose value a spec could not set.
  void check() const;
  [[nodiscard]] const std::vector<Option>& rows() const { return rows_; }

 private:
  std::vector<Option> rows_;
};

/// Options of type T, as the spec sets them over others: by default those of T itself.
template <class T>
T parse_options(const Spec& spec, T options = {}) {
  OptionTable table;
  options.describe(table);
  table.apply(spec);
  return options;
}

/// Throws InvalidArgument for values out of bounds: of options that a program filled, not a spec.
template <class T>
void check_options(T options) {
  OptionTable table;
  options.describe(table);
  table.check();
}

/// The spec string of options: what differs from the defaults.
template <class T>
Spec spec_of(std::string name, T options, T defaults = {}) {
  OptionTable table, default_table;
  options.describe(table);
  defaults.describe(default_table);
  Spec spec{std::move(name), {}};
  for (std::size_t i = 0; i < table.rows().size(); ++i) {
    const Option& option = table.rows()[i];
    if (option.value != default_table.rows()[i].value) spec.settings.emplace_back(option.name, option.value);
  }
  return spec;
}

/// The table of T's defaults, for help texts and documentation.
template <class T>
std::vector<Option> list_options() {
  T options;
  OptionTable table;
  options.describe(table);
  auto rows = table.rows();
  for (auto& row : rows) row.assign = nullptr;  // they point into `options`
  return rows;
}

}  // namespace bocs
