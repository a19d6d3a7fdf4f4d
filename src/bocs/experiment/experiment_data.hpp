#pragma once
// What a page shows of an experiment, as JSON. The schema is in docs/report.md.

#include <nlohmann/json.hpp>
#include <span>

#include "bocs/experiment/statistics.hpp"

namespace bocs {

nlohmann::ordered_json experiment_data(const std::string& name, std::span<const CellResult> results,
                                       const TableOptions& options);

}  // namespace bocs
