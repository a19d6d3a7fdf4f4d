#include <algorithm>
#include <charconv>
#include <cmath>

#include "bocs/base/error.hpp"
#include "bocs/study/study_file.hpp"

namespace bocs {

double parse_duration(const std::string& text) {
  double value = 0;
  const auto [stopped, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  std::string unit(stopped, text.data() + text.size());
  unit.erase(0, unit.find_first_not_of(' ') == std::string::npos ? 0 : unit.find_first_not_of(' '));
  const std::vector<std::pair<std::string, double>> units{{"", 1},     {"s", 1},    {"ms", 1e-3},
                                                          {"min", 60}, {"h", 3600}, {"d", 86400.0}};
  const auto found = std::find_if(units.begin(), units.end(), [&](const auto& u) { return u.first == unit; });
  require(error == std::errc() && found != units.end() && std::isfinite(value) && value >= 0, [&] {
    return "found '" + text + "'; allowed: a number of seconds, or one with a unit: 500ms, 30s, 10min, 2h, 1d";
  });
  return value * found->second;
}

}  // namespace bocs
