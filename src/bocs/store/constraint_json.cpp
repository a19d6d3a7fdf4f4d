#include "bocs/store/constraint_json.hpp"

#include "bocs/store/json_parts.hpp"

namespace bocs {

using json_parts::Json;
using json_parts::real;

Json constraint_to_json(const Constraint& constraint) {
  if (!constraint.rule.empty()) {
    return {{"rule", constraint.rule}, {"language", kRuleLanguage}, {"text", constraint.text}};
  }
  Json terms = Json::array();
  for (const auto& term : constraint.terms) {
    Json json = {{"variable", term.variable}, {"weight", real(term.weight)}};
    if (term.is) json["is"] = *term.is;
    terms.push_back(std::move(json));
  }
  return {{"terms", terms}, {"low", real(constraint.low)}, {"high", real(constraint.high)}, {"text", constraint.text}};
}

Constraint constraint_from_json(const Json& json) {
  Constraint constraint;
  constraint.text = json.at("text").get<std::string>();
  if (json.contains("rule")) {  // since 0.3
    constraint.rule = json.at("rule").get<std::string>();
    const int language = json.at("language").get<int>();
    if (constraint.rule.empty() || language != kRuleLanguage) {
      throw StoreError("the store holds a rule of language " + std::to_string(language) + "; this program knows " +
                       std::to_string(kRuleLanguage));
    }
    return constraint;
  }
  for (const auto& item : json.at("terms")) {
    Term term{item.at("variable").get<std::string>(), {}, real(item.at("weight"))};
    if (item.contains("is")) term.is = item.at("is").get<std::string>();
    constraint.terms.push_back(std::move(term));
  }
  constraint.low = real(json.at("low"));
  constraint.high = real(json.at("high"));
  return constraint;
}

}  // namespace bocs
