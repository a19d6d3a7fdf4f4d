#pragma once
// What a page shows of a study, as JSON. The schema is in docs/report.md.

#include <nlohmann/json.hpp>
#include <set>

#include "bocs/report/report.hpp"

namespace bocs {

/// All that is known without a fit of the model, but for "recommended", as of the study's last refresh.
nlohmann::ordered_json study_data(Study& study, const ReportOptions& options);
/// Of it, what may change while a study runs, with the trials of these numbers.
nlohmann::ordered_json study_news(Study& study, const std::set<int>& numbers);
/// Of it, who holds the running trials now.
nlohmann::ordered_json claims_news(Study& study);
/// "recommended": the answer where measurements are random, which takes a fit of the model; null where they are exact.
nlohmann::ordered_json recommended_data(const Study& study);
/// What was learnt: "explanation" and "posterior"; with fewer than two complete trials, or none that varies, null.
nlohmann::ordered_json learnt_data(const Study& study, int threads);

}  // namespace bocs
