#pragma once
// What a page shows of a study, as JSON. The schema is in docs/report.md.

#include <nlohmann/json.hpp>

#include "bocs/report/report.hpp"

namespace bocs {

/// All that is known without a fit of the model, but for "recommended"; of the trials those from number `from` on.
nlohmann::ordered_json study_data(Study& study, const ReportOptions& options, int from = 0);
/// "recommended": the answer where measurements are random, which takes a fit of the model; null where they are exact.
nlohmann::ordered_json recommended_data(const Study& study);
/// What was learnt: "explanation" and "posterior"; with fewer than two complete trials, or none that varies, null.
nlohmann::ordered_json learnt_data(const Study& study, int threads);

}  // namespace bocs
