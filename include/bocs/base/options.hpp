#pragma once
// Spec strings, the only configuration language: "name:key=value,key=value". The table that an options struct describes
// itself in feeds the parser, the range checks, the printed lists and the documentation.

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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
  void real(const std::string& name, double& field, double low, double high, const std::string& help);
  void boolean(const std::string& name, bool& field, const std::string& help);
  void choice(const std::string& name, std::string& field, std::vector<std::string> allowed, const std::string& help);
  void text(const std::string& name, std::string& field, const std::string& help);  // free text, such as a file name

  /// Assigns every setting of the spec; an unknown key or a value out of bounds throws InvalidArgument naming both.
  void apply(const Spec& spec);
  [[nodiscard]] const std::vector<Option>& rows() const { return rows_; }

 private:
  std::vector<Option> rows_;
};

/// Options of type T, as the spec sets them over their defaults.
template <class T>
T parse_options(const Spec& spec) {
  T options;
  OptionTable table;
  options.describe(table);
  table.apply(spec);
  return options;
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
