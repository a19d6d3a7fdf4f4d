#include "bocs/rule/names.hpp"

#include "bocs/base/error.hpp"
#include "bocs/base/text.hpp"

namespace bocs {
namespace {

/// Where the index of an array's element begins: its '['.
std::size_t index_of(const std::string& variable) {
  const auto bracket = variable.find('[');
  return variable.ends_with(']') && bracket > 0 ? bracket : std::string::npos;
}

}  // namespace

std::string array_name(const std::string& variable) { return variable.substr(0, index_of(variable)); }

std::string element_name(const std::string& variable) {
  const auto bracket = index_of(variable);
  return bracket == std::string::npos ? "" : variable.substr(bracket + 1, variable.size() - bracket - 2);
}

Names::Names(const Space& space) : space_(space) {
  for (int i = 0; i < space.dimension(); ++i) {
    const std::string& name = space[i].name;
    members_[name] = {i};
    const std::string array = array_name(name);
    if (array != name) arrays_[array].push_back(i);
    if (known_.empty() || known_.back() != array) known_.push_back(array);
  }
  for (const auto& [array, members] : arrays_) members_.try_emplace(array, members);
}

const std::vector<int>& Names::find(const std::string& name) const {
  const auto found = members_.find(name);
  if (found != members_.end()) return found->second;
  std::string text = "there is no variable '" + name + "'";
  if (const auto array = arrays_.find(array_name(name)); array != arrays_.end() && array->first != name) {
    const auto element = [&](int i) { return element_name(space_[i].name); };
    throw InvalidArgument(text + "; '" + array->first + "' has the elements " + element(array->second.front()) +
                          " to " + element(array->second.back()));
  }
  if (known_.size() <= 20) text += "; allowed: " + joined(known_);
  throw InvalidArgument(text + did_you_mean(name, known_));
}

bool Names::is_array(const std::string& name) const {
  const auto found = members_.find(name);
  return found != members_.end() && space_[found->second.front()].name != name;
}

}  // namespace bocs
