#include "bocs/run/point_json.hpp"

#include <nlohmann/json.hpp>

#include "bocs/core/error.hpp"
#include "bocs/core/text.hpp"

namespace bocs {
namespace {

using Json = nlohmann::json;

std::string quoted(const std::string& text) { return Json(clean_utf8(text)).dump(); }

std::int32_t level_of(const Variable& v, const Json& value) {
  const bool textual = value.is_string();
  require(textual || value.is_number() || value.is_boolean(),
          [&] { return v.name + ": found " + value.dump() + "; allowed: a number, true, false or a text"; });
  return parse_level(v, textual ? value.get<std::string>() : value.dump());
}

}  // namespace

std::string named_point_json(const Space& space, const Point& x) {
  std::string text = "{";
  for (int i = 0; i < space.dimension(); ++i) {
    const Variable& v = space[i];
    const std::string value = format_level(v, x[i]);
    text += (i == 0 ? "" : ",") + quoted(v.name) + ":" + (v.kind == Kind::categorical ? quoted(value) : value);
  }
  return text + "}";
}

Point point_from_named_json(const Space& space, const std::string& text) {
  const Json object = Json::parse(text, nullptr, false);
  require(object.is_object(), "a point is a JSON object with a value for every variable");
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
