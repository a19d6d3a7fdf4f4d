#include "bocs/base/options.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <sstream>

#include "bocs/base/error.hpp"
#include "bocs/base/text.hpp"

namespace bocs {
namespace {

template <class Number>
std::optional<Number> parse_number(const std::string& text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

[[noreturn]] void refuse(const std::string& name, const std::string& value, const std::string& allowed) {
  throw InvalidArgument(name + "=" + value + ": allowed is " + allowed);
}

int whole_number(const std::string& name, const std::string& text, int low, int high, const std::string& allowed) {
  const auto value = parse_number<int>(text);
  if (!value || *value < low || *value > high) refuse(name, text, allowed);
  return *value;
}

/// "name:key=value,key=value", keys given twice included.
Spec split(std::string_view text) {
  Spec spec;
  const auto colon = text.find(':');
  spec.name = std::string(text.substr(0, colon));
  require(!spec.name.empty(), [&] { return "'" + std::string(text) + "' does not start with a name"; });
  if (colon == std::string_view::npos) return spec;
  std::stringstream rest{std::string(text.substr(colon + 1))};
  for (std::string part; std::getline(rest, part, ',');) {
    const auto equals = part.find('=');
    require(equals != std::string::npos && equals > 0,
            [&] { return "'" + part + "' in '" + std::string(text) + "' is not of the form key=value"; });
    spec.settings.emplace_back(part.substr(0, equals), part.substr(equals + 1));
  }
  return spec;
}

}  // namespace

Spec Spec::parse(std::string_view text) {
  Spec spec = split(text);
  std::set<std::string> keys;
  for (const auto& setting : spec.settings) {
    require(keys.insert(setting.first).second,
            [&] { return "'" + setting.first + "' is given twice in '" + std::string(text) + "'"; });
  }
  return spec;
}

std::string without_repeats(std::string_view text) {
  const Spec given = split(text);
  Spec spec{given.name, {}};
  for (const auto& [key, value] : given.settings) spec.set(key, value);
  return spec.text();
}

void Spec::set(const std::string& key, const std::string& value) {
  const auto found = std::find_if(settings.begin(), settings.end(), [&](const auto& s) { return s.first == key; });
  if (found == settings.end()) {
    settings.emplace_back(key, value);
  } else {
    found->second = value;
  }
}

std::string Spec::text() const {
  std::string result = name;
  char separator = ':';
  for (const auto& [key, value] : settings) {
    result += separator + key + "=" + value;
    separator = ',';
  }
  return result;
}

Spec Spec::take(const std::string& prefix, const std::string& taken_name) {
  Spec taken{taken_name, {}};
  std::vector<std::pair<std::string, std::string>> kept;
  for (auto& [key, value] : settings) {
    if (key.starts_with(prefix + ".")) {
      taken.settings.emplace_back(key.substr(prefix.size() + 1), std::move(value));
    } else {
      kept.emplace_back(std::move(key), std::move(value));
    }
  }
  settings = std::move(kept);
  return taken;
}

void OptionTable::integer(const std::string& name, int& field, int low, int high, const std::string& help) {
  const std::string allowed = "a whole number from " + std::to_string(low) + " to " + std::to_string(high);
  rows_.push_back({name, std::to_string(field), allowed, help,
                   [=, &field](const std::string& text) { field = whole_number(name, text, low, high, allowed); }});
}

void OptionTable::integer(const std::string& name, std::optional<int>& field, int low, int high,
                          const std::string& help) {
  const std::string allowed = "auto, or a whole number from " + std::to_string(low) + " to " + std::to_string(high);
  rows_.push_back({name, field ? std::to_string(*field) : "auto", allowed, help, [=, &field](const std::string& text) {
                     field.reset();
                     if (text != "auto") field = whole_number(name, text, low, high, allowed);
                   }});
}

void OptionTable::real(const std::string& name, double& field, double low, double high, const std::string& help) {
  const std::string allowed = "a number from " + shortest(low) + " to " + shortest(high);
  rows_.push_back({name, shortest(field), allowed, help, [=, &field](const std::string& text) {
                     const auto value = parse_number<double>(text);
                     if (!value || !(*value >= low && *value <= high)) refuse(name, text, allowed);
                     field = *value;
                   }});
}

void OptionTable::boolean(const std::string& name, bool& field, const std::string& help) {
  const std::string allowed = "true or false";
  rows_.push_back({name, field ? "true" : "false", allowed, help, [=, &field](const std::string& text) {
                     if (text != "true" && text != "false") refuse(name, text, allowed);
                     field = text == "true";
                   }});
}

void OptionTable::choice(const std::string& name, const std::string& value, std::vector<std::string> choices,
                         const std::string& help, std::function<void(const std::string&)> assign) {
  const std::string allowed = joined(choices);
  rows_.push_back({name, value, allowed, help,
                   [=, choices = std::move(choices), assign = std::move(assign)](const std::string& text) {
                     if (std::find(choices.begin(), choices.end(), text) == choices.end()) refuse(name, text, allowed);
                     assign(text);
                   }});
}

void OptionTable::text(const std::string& name, std::string& field, const std::string& help) {
  rows_.push_back({name, field, "any text", help, [&field](const std::string& value) { field = value; }});
}

void OptionTable::apply(const Spec& spec) {
  for (const auto& setting : spec.settings) {
    const std::string& key = setting.first;
    const std::string& value = setting.second;
    const auto row = std::find_if(rows_.begin(), rows_.end(), [&](const Option& o) { return o.name == key; });
    if (row == rows_.end()) {
      std::vector<std::string> names;
      for (const auto& o : rows_) names.push_back(o.name);
      throw InvalidArgument(spec.name + " has no option '" + key + "'; it has " +
                            (names.empty() ? "none" : joined(names)) + did_you_mean(key, names));
    }
    row->assign(value);
    row->value = value;
  }
}

void OptionTable::check() const {
  for (const Option& row : rows_) row.assign(row.value);
}

}  // namespace bocs
