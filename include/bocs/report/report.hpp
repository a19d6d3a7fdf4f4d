#pragma once
// A study or an experiment as one page that needs nothing but a browser. docs/report.md.

#include <string>

#include "bocs/study/study.hpp"

namespace bocs {

struct ReportOptions {
  bool explain = true;  // what was learnt, which takes a fit of the model: seconds
  int threads = 1;      // for it; the result does not depend on it
  std::string command;  // how people name the study to `bocs`: "study.toml"; for the commands that the page quotes
};

/// The page, with everything in it: no network, no other file.
std::string report_html(Study& study, const ReportOptions& options = {});
/// What the page shows, as JSON: the schema in docs/report.md.
std::string report_json(Study& study, const ReportOptions& options = {});

}  // namespace bocs
