#include "bocs/run/point_json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "bocs/base/error.hpp"
#include "bocs/base/level_json.hpp"
#include "bocs/base/text.hpp"
#include "bocs/run/untrusted_json.hpp"

namespace bocs {
namespace {

using Json = nlohmann::json;

std::string quoted(const std::string& text) { return Json(clean_utf8(text)).dump(); }

std::int32_t level_of(const Variable& v, const Json& value) {
  const bool has_null = std::find(v.typed.begin(), v.typed.end(), LevelValue()) != v.typed.end();
  require(value.is_string() || value.is_number() || value.is_boolean() || (value.is_null() && has_null),
          [&] { return v.name + ": found " + value.dump() + "; allowed: a number, true, false or a text"; });
  const auto same = std::find(v.typed.begin(), v.typed.end(), level_value_from_json(value));
  if (same != v.typed.end()) return static_cast<std::int32_t>(same - v.typed.begin());
  return parse_level(v, value.is_string() ? value.get<std::string>() : value.dump());
}

/// As a program reads it: 64 and null, where the study knows the types of its levels; else the text.
std::string value_text(const Variable& v, std::int32_t level) {
  if (v.kind != Kind::categorical) return format_level(v, level);
  if (v.typed.empty()) return quoted(v.labels[level]);
  const auto value = level_value_to_json<Json>(v.typed[level]);
  return value.is_string() ? quoted(value.get<std::string>()) : value.dump();
}

/// {"b": [0, 1]} becomes {"b[0]": 0, "b[1]": 1}: the elements of an array in their order.
void spread_arrays(const Space& space, Json& object) {
  Json elements = Json::object();
  for (auto item = object.begin(); item != object.end();) {
    if (!item.value().is_array()) {
      ++item;
      continue;
    }
    std::vector<std::string> names;
    for (const auto& v : space.variables()) {
      if (v.name.starts_with(item.key() + "[")) names.push_back(v.name);
    }
    require(!names.empty(), [&] { return "found a list for '" + item.key() + "', which is no array of variables"; });
    require(names.size() == item.value().size(), [&] {
      return item.key() + ": found " + std::to_string(item.value().size()) + " values; it has " +
             std::to_string(names.size()) + " elements";
    });
    for (std::size_t i = 0; i < names.size(); ++i) elements[names[i]] = item.value()[i];
    item = object.erase(item);
  }
  for (auto& [name, value] : elements.items()) {
    require(!object.contains(name), [&taken = name] { return "the point has two values for '" + taken + "'"; });
    object[name] = value;
  }
}

}  // namespace

std::string named_point_json(const Space& space, const Point& x) {
  std::string text = "{";
  for (int i = 0; i < space.dimension(); ++i) {
    text += (i == 0 ? "" : ",") + quoted(space[i].name) + ":" + value_text(space[i], x[i]);
  }
  return text + "}";
}

Point point_from_named_json(const Space& space, const std::string& text) {
  auto object = parse_untrusted_json<Json>(text);
  require(object.is_object(), "a point is a JSON object with a value for every variable");
  spread_arrays(space, object);
  Point x;
  for (const auto& v : space.variables()) {
    const auto found = object.find(v.name);
    require(found != object.end(), [&] { return "the point has no value for '" + v.name + "'"; });
    x.push_back(level_of(v, *found));
  }
  if (object.size() > x.size()) {
    for (const auto& [name, value] : object.items()) (void)space.index(name);  // refuses the unknown one
  }
  return x;
}

}  // namespace bocs
