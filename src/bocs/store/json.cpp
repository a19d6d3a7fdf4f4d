#include "bocs/store/json.hpp"

#include "bocs/store/constraint_json.hpp"
#include "bocs/store/json_parts.hpp"

namespace bocs {
namespace {

using json_parts::Json;
using json_parts::parsed;
using json_parts::real;

/// Numbers in ascending order; three or more in a row as [first, last]: with many workers nearly all of them are.
Json ranges_to_json(const std::vector<int>& numbers) {
  Json json = Json::array();
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
    if (end - i >= 3) {
      json.push_back({numbers[i], numbers[end - 1]});
    } else {
      for (std::size_t k = i; k < end; ++k) json.push_back(numbers[k]);
    }
    i = end;
  }
  return json;
}

std::vector<int> ranges_from_json(const Json& json) {
  std::vector<int> numbers;
  for (const Json& item : json) {
    const int first = (item.is_array() ? item.at(0) : item).get<int>();
    const int last = item.is_array() ? item.at(1).get<int>() : first;
    constexpr int kLongest = 10'000'000;  // whatever a stranger wrote
    if (last < first || static_cast<std::int64_t>(last) - first > kLongest) {
      throw StoreError("the store holds the range " + item.dump());
    }
    for (std::int64_t n = first; n <= last; ++n) numbers.push_back(static_cast<int>(n));
  }
  return numbers;
}

Json to_json(const Info& info) {
  Json json = {{"predicted", real(info.predicted)},
               {"lower_bound", real(info.lower_bound)},
               {"regress_seconds", real(info.regress_seconds)},
               {"minimize_seconds", real(info.minimize_seconds)},
               {"repairs", info.repairs},
               {"status", word_of(info.status)},
               {"how", info.how},
               {"pending", ranges_to_json(info.pending)},
               {"origin", word_of(info.origin)},
               {"member", info.member},
               {"program", info.program}};
  for (const auto& rule : info.rules) json["rules"].push_back(constraint_to_json(rule));
  return json;
}

Info to_info(const Json& json) {
  Info info;
  if (json.empty()) return info;  // nothing was written yet
  info.predicted = real(json.at("predicted"));
  info.lower_bound = real(json.at("lower_bound"));
  info.regress_seconds = real(json.at("regress_seconds"));
  info.minimize_seconds = real(json.at("minimize_seconds"));
  info.repairs = json.at("repairs").get<int>();
  info.status = value_from_store<Status>(json.at("status").get<std::string>());
  info.how = json.at("how").get<std::string>();
  info.pending = ranges_from_json(json.at("pending"));
  if (json.contains("origin")) {  // bocs 0.1 did not write them; its rows in a store have columns of their own for them
    info.origin = value_from_store<Origin>(json.at("origin").get<std::string>());
    info.member = json.at("member").get<std::string>();
  }
  info.program = json.value("program", "");
  if (json.contains("rules")) {  // since 0.3, of trials of a batch with rules
    for (const Json& rule : json.at("rules")) info.rules.push_back(constraint_from_json(rule));
  }
  return info;
}

/// The library would cut 1.7 and 4294967297 to some other level.
Point to_point(const Json& json) {
  Point x;
  for (const auto& level : json.get<std::vector<Json>>()) {
    const bool whole = level.is_number_integer();
    const auto value = whole ? level.get<std::int64_t>() : -1;
    if (!whole || value < 0 || value > std::numeric_limits<std::int32_t>::max()) {
      throw StoreError("the store holds a point with the level " + level.dump());
    }
    x.push_back(static_cast<std::int32_t>(value));
  }
  return x;
}

Json to_json(const std::map<std::string, double>& metrics) {
  Json json = Json::object();
  for (const auto& [name, value] : metrics) json[clean_utf8(name)] = real(value);
  return json;
}

std::map<std::string, double> to_metrics(const Json& json) {
  std::map<std::string, double> metrics;
  for (const auto& [name, value] : json.get<std::map<std::string, Json>>()) metrics[name] = real(value);
  return metrics;
}

}  // namespace

int cap_of_spec(const std::string& text) {
  return parsed(text, "a study", [](const Json& json) { return json.at("parallel").get<int>(); });
}

std::string point_to_json(const Point& x) { return Json(x).dump(); }

Point point_from_json(const std::string& text) { return parsed(text, "a point", to_point); }

std::string info_to_json(const Info& info) { return to_json(info).dump(); }

Info info_from_json(const std::string& text) { return parsed(text, "an info", to_info); }

std::string metrics_to_json(const std::map<std::string, double>& metrics) { return to_json(metrics).dump(); }

std::map<std::string, double> metrics_from_json(const std::string& text) {
  if (text == "{}") return {};  // nearly always
  return parsed(text, "metrics", to_metrics);
}

std::string trial_to_json(const Trial& trial) {
  return Json{{"number", trial.number},
              {"state", word_of(trial.state)},
              {"point", trial.x},
              {"value", real(trial.y)},
              {"error", clean_utf8(trial.error)},
              {"seconds", real(trial.seconds)},
              {"metrics", to_json(trial.metrics)},
              {"remark", clean_utf8(trial.remark)},
              {"info", to_json(trial.info)}}
      .dump();
}

Trial trial_from_json(const std::string& text) {
  return parsed(text, "a trial", [](const Json& json) {
    Trial trial;
    trial.number = json.at("number").get<int>();
    trial.state = value_from_store<State>(json.at("state").get<std::string>());
    trial.x = to_point(json.at("point"));
    trial.y = real(json.at("value"));
    trial.error = json.at("error").get<std::string>();
    trial.seconds = real(json.at("seconds"));
    trial.metrics = to_metrics(json.at("metrics"));
    trial.remark = json.value("remark", "");
    trial.info = to_info(json.at("info"));
    return trial;
  });
}

}  // namespace bocs
