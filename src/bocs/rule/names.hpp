#pragma once
// What people call the variables of a space.

#include <map>

#include "bocs/space/space.hpp"

namespace bocs {

/// "station" of station[3] and of station[mean radius]; the whole name when it is no element of an array.
std::string array_name(const std::string& variable);
/// "3" of station[3]; empty when it is no element of an array.
std::string element_name(const std::string& variable);

/// Each variable by its name, and an array station[0], station[1], ... by "station", unless that is the name of a
/// variable of its own.
class Names {
 public:
  explicit Names(const Space& space);  // keeps a reference

  /// Throws InvalidArgument that says which names there are.
  [[nodiscard]] const std::vector<int>& find(const std::string& name) const;
  [[nodiscard]] bool has(const std::string& name) const { return members_.contains(name); }
  /// The name of an array, not of a variable.
  [[nodiscard]] bool is_array(const std::string& name) const;
  [[nodiscard]] const Space& space() const { return space_; }

 private:
  const Space& space_;
  std::map<std::string, std::vector<int>> members_, arrays_;
  std::vector<std::string> known_;  // variables and arrays, in the order of the space
};

}  // namespace bocs
