#include "study_output.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "bocs/run/command.hpp"
#include "bocs/store/json.hpp"
#include "command.hpp"

namespace bocs::cli {
namespace {

Json known(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

/// Characters, not bytes.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

bool is_number(const std::string& text) {
  return text.find_first_not_of("0123456789+-.e") == std::string::npos || text == "inf" || text.empty();
}

/// "station" of station[3]; the whole name when it is no element of an array.
std::string array_name(const std::string& name) {
  const auto bracket = name.rfind('[');
  return name.ends_with(']') && bracket != std::string::npos && bracket > 0 ? name.substr(0, bracket) : name;
}

}  // namespace

Json to_json(const Space& space, const Point& x) { return Json::parse(named_point_json(space, x)); }

Point point_from_json(const Space& space, const Json& object) {
  if (!object.is_object()) throw BadData("a point is a JSON object with a value for every variable");
  Point x;
  try {
    for (const auto& v : space.variables()) {
      const auto found = object.find(v.name);
      require(found != object.end(), [&] { return "the point has no value for '" + v.name + "'"; });
      const bool textual = found->is_string();
      require(textual || found->is_number_integer(),
              [&] { return v.name + ": found " + found->dump() + "; allowed: a whole number or a text"; });
      x.push_back(parse_level(v, textual ? found->get<std::string>() : found->dump()));
    }
    for (const auto& [name, value] : object.items()) (void)space.index(name);
  } catch (const InvalidArgument& error) {
    throw BadData(error.what());
  }
  return x;
}

Json to_json(const Study& study, const Trial& trial) {
  const bool complete = trial.state == State::complete;
  Json out = {{"number", trial.number}, {"state", to_string(trial.state)}};
  out["point"] = trial.x.empty() ? Json(nullptr) : to_json(study.task().space, trial.x);
  out["value"] = complete ? known(study.shown(trial.y)) : Json(nullptr);
  out["total"] = complete ? known(study.value(trial)) : Json(nullptr);
  out["metrics"] = trial.metrics;
  out["seconds"] = known(trial.seconds);
  out["error"] = trial.error.empty() ? Json(nullptr) : Json(trial.error);
  return out;
}

void print_json(const Json& value) {
  fmt::print("{}\n", value.dump(-1, ' ', false, Json::error_handler_t::replace));
  std::fflush(stdout);
}

std::string describe_point(const Space& space, const Point& x) {
  std::string text;
  for (int i = 0; i < space.dimension();) {
    const std::string name = array_name(space[i].name);
    if (!text.empty()) text += ' ';
    text += name + '=';
    const bool packed = space[i].kind == Kind::binary;
    for (const int first = i; i < space.dimension() && (i == first || array_name(space[i].name) == name); ++i) {
      if (i > first && !packed) text += ',';
      text += format_level(space[i], x[static_cast<std::size_t>(i)]);
      if (name == space[i].name) {  // not an array
        ++i;
        break;
      }
    }
  }
  return harmless(text);
}

bool is_penalized(const Study& study) { return study.task().l1 > 0 || study.task().l2 > 0; }

void print_value(const Study& study, const Trial& trial) {
  fmt::print("value        {:.10g}  at trial {}\n", study.shown(trial.y), trial.number);
  if (is_penalized(study)) fmt::print("with penalty {:.10g}\n", study.value(trial));
}

std::string shown_number(double value) { return std::isfinite(value) ? fmt::format("{:.6g}", value) : "-"; }

void print_table(const std::vector<std::string>& header, const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  std::vector<bool> right;
  for (std::size_t c = 0; c < header.size(); ++c) {
    widths.push_back(width(header[c]));
    right.push_back(true);
    for (const auto& row : rows) {
      widths[c] = std::max(widths[c], width(harmless(row[c])));
      right[c] = right[c] && is_number(row[c]);
    }
  }
  const auto print = [&](const std::vector<std::string>& cells) {
    std::string line;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const std::string cell = harmless(cells[c]);
      const std::string gap(widths[c] - width(cell), ' ');
      line += (c == 0 ? "" : "  ") + (right[c] ? gap + cell : cell + gap);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    fmt::print("{}\n", line);
  };
  print(header);
  for (const auto& row : rows) print(row);
}

std::string harmless(std::string text) {
  for (char& c : text) {
    if (c == '\n' || c == '\t') {
      c = ' ';
    } else if (static_cast<unsigned char>(c) < 32 || c == 127) {
      c = '?';
    }
  }
  return text;
}

}  // namespace bocs::cli
