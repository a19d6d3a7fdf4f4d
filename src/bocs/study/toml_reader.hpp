#pragma once
// A TOML file read strictly: what is unknown, misspelt, of the wrong type or out of bounds is refused with file and
// line, what was found and what is allowed.

#include <toml++/toml.h>
#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "bocs/base/error.hpp"

namespace bocs {

class TomlReader {
 public:
  explicit TomlReader(const std::filesystem::path& file);  // throws InvalidArgument, as all functions do

  [[nodiscard]] const toml::table& root() const { return root_; }
  /// Of the file, absolute: relative paths start there.
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

  /// "FILE:LINE"
  [[nodiscard]] std::string place(const toml::node& node) const;
  [[noreturn]] void refuse(const toml::node& node, const std::string& message) const;
  /// "key: found 3; allowed: ..."
  [[noreturn]] void refuse(const std::string& key, const toml::node& node, const std::string& allowed) const;
  /// Calls f; its InvalidArgument gets the place of the node.
  template <class Function>
  auto at(const toml::node& node, Function f) const;

  [[nodiscard]] std::int64_t whole(const std::string& key, const toml::node& node, std::int64_t low,
                                   std::int64_t high = std::numeric_limits<int>::max()) const;
  [[nodiscard]] double number(const std::string& key, const toml::node& node,
                              double low = -std::numeric_limits<double>::infinity()) const;
  [[nodiscard]] bool flag(const std::string& key, const toml::node& node) const;
  [[nodiscard]] std::string text(const std::string& key, const toml::node& node) const;  // not empty
  [[nodiscard]] std::string choice(const std::string& key, const toml::node& node,
                                   const std::vector<std::string>& allowed) const;
  [[nodiscard]] const toml::table& table(const std::string& key, const toml::node& node) const;

  /// A list; one value alone is a list of one.
  template <class Read>
  auto list(const toml::node& node, Read read) const;

  /// What to do with the value of each key that is allowed in a table.
  using Key = std::pair<std::string, std::function<void(const toml::node&)>>;
  using Keys = std::vector<Key>;
  void read(const toml::table& values, const Keys& keys) const;
  /// What to say of a key that is not allowed where it stands: "it belongs under [objective]".
  void set_hints(std::map<std::string, std::string> hints) { hints_ = std::move(hints); }
  /// The value of a key that must be there.
  [[nodiscard]] const toml::node& required(const toml::table& values, const std::string& key) const;

 private:
  std::string file_;
  std::filesystem::path folder_;
  toml::table root_;
  std::map<std::string, std::string> hints_;
};

template <class Function>
auto TomlReader::at(const toml::node& node, Function f) const {
  try {
    return f();
  } catch (const InvalidArgument& error) {
    refuse(node, error.what());
  }
}

template <class Read>
auto TomlReader::list(const toml::node& node, Read read) const {
  std::vector<decltype(read(node))> values;
  if (const auto* entries = node.as_array()) {
    for (const auto& entry : *entries) values.push_back(read(entry));
  } else {
    values.push_back(read(node));
  }
  return values;
}

}  // namespace bocs
