#include "bocs/study/point_json.hpp"

#include <nlohmann/json.hpp>

#include "bocs/base/error.hpp"
#include "bocs/base/level_json.hpp"
#include "bocs/base/text.hpp"
#include "bocs/study/untrusted_json.hpp"

namespace bocs {
namespace {

using Json = nlohmann::json;

std::string json_quoted(const std::string& text) { return Json(clean_utf8(text)).dump(); }

/// A number of a structure as the numbers of variables are written.
std::string json_text(const Value& value) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ",") + part; };
  if (value.list() != nullptr) {
    for (const Value& entry : *value.list()) add(json_text(entry));
    return "[" + text + "]";
  }
  if (value.map() != nullptr) {
    for (const auto& [name, entry] : *value.map()) add(json_quoted(name) + ":" + json_text(entry));
    return "{" + text + "}";
  }
  if (const auto number = value.number()) return format_number(*number);
  return value.text() != nullptr ? json_quoted(*value.text()) : value_to_json<Json>(value).dump();
}

/// As a program reads it: 64 and null, where the study knows the types of its levels; else the text.
std::string value_text(const Space& space, const Point& x, int variable) {
  const Coordinate& c = space[space.first(variable)];
  if (!space.is_plain(variable)) return json_text(space.value(x, variable));
  if (c.has_value()) return format_level(c, x[static_cast<std::size_t>(space.first(variable))]);
  const auto value = value_to_json<Json>(space.value(x, variable));
  return value.is_string() ? json_quoted(value.get<std::string>()) : value.dump();
}

/// {"b": [0, 1]} becomes {"b[0]": 0, "b[1]": 1}: the elements of an array in their order.
void spread_arrays(const Space& space, Json& object) {
  Json elements = Json::object();
  for (auto item = object.begin(); item != object.end();) {
    if (!item.value().is_array()) {
      ++item;
      continue;
    }
    if (space.variable_index(item.key()) >= 0) {  // a structure, whose value is a list
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
  std::string text;
  for (int v = 0; v < static_cast<int>(space.variables().size()); ++v) {
    if (space.is_absent(x, v)) continue;
    const std::string& name = space.variables()[static_cast<std::size_t>(v)].name;
    text += (text.empty() ? "" : ",") + json_quoted(name) + ":" + value_text(space, x, v);
  }
  return "{" + text + "}";
}

std::string value_json(const Space& space, const Point& x, int variable) {
  return space.is_absent(x, variable) ? "null" : value_text(space, x, variable);
}

void set_from_json(const Space& space, Point& x, int variable, const std::string& text) {
  space.set(x, variable, value_from_json(parse_untrusted_json<Json>(text)));
}

Point point_from_named_json(const Space& space, const std::string& text) {
  auto object = parse_untrusted_json<Json>(text);
  require(object.is_object(), "a point is a JSON object with a value for every variable");
  spread_arrays(space, object);
  Point x(static_cast<std::size_t>(space.dimension()));
  std::size_t named = 0;
  for (int v = 0; v < static_cast<int>(space.variables().size()); ++v) {
    const auto found = object.find(space.variables()[static_cast<std::size_t>(v)].name);
    if (found == object.end()) {
      space.set_absent(x, v);
      continue;
    }
    ++named;
    space.set(x, v, value_from_json(*found));
  }
  for (auto entry = object.begin(); object.size() > named && entry != object.end(); ++entry) {
    if (space.variable_index(entry.key()) < 0) throw InvalidArgument("there is no variable '" + entry.key() + "'");
  }
  return x;
}

}  // namespace bocs
