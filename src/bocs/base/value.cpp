#include "bocs/base/value.hpp"

#include "bocs/base/text.hpp"

namespace bocs {

const Value* Value::find(std::string_view key) const {
  if (map() == nullptr) return nullptr;
  for (const auto& [name, value] : *map()) {
    if (name == key) return &value;
  }
  return nullptr;
}

std::optional<double> Value::number() const {
  if (scalar() == nullptr) return std::nullopt;
  if (const auto* whole = std::get_if<std::int64_t>(scalar())) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(scalar())) return *real;
  return std::nullopt;
}

const std::string* Value::text() const { return scalar() == nullptr ? nullptr : std::get_if<std::string>(scalar()); }

std::string text_of(const Value& value) {
  std::vector<std::string> parts;
  if (value.list() != nullptr) {
    for (const Value& entry : *value.list()) parts.push_back(text_of(entry));
    return "[" + joined(parts) + "]";
  }
  if (value.map() != nullptr) {
    for (const auto& [name, entry] : *value.map()) parts.push_back("\"" + name + "\": " + text_of(entry));
    return "{" + joined(parts) + "}";
  }
  if (value.text() != nullptr) return "\"" + *value.text() + "\"";
  if (const auto number = value.number()) return shortest(*number);
  if (const bool* flag = std::get_if<bool>(value.scalar())) return *flag ? "true" : "false";
  return std::holds_alternative<std::monostate>(*value.scalar()) ? "null" : text_of(*value.scalar());
}

}  // namespace bocs
