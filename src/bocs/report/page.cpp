#include "bocs/report/page.hpp"

#include "bocs/report/study_data.hpp"

namespace bocs {

// generated/web_files.cpp, by cmake/embed.cmake
struct WebFile {
  std::string_view name;
  std::string_view text;
};
extern const WebFile kWebFiles[];
extern const std::size_t kWebFileCount;

namespace {

using Json = nlohmann::ordered_json;

/// The modules, each after those it imports: in one document there are no files to import.
constexpr std::string_view kModules[] = {"dom.js",       "value.js",      "data.js",   "chart.js",
                                         "structure.js", "whatif.js",     "trials.js", "goals.js",
                                         "study.js",     "experiment.js", "page.js"};

/// A module without its lines `import ...;` and the word `export`: all share one scope.
void append_module(std::string& out, std::string_view text) {
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size() - 1);
    std::string_view line = text.substr(0, end + 1);
    text.remove_prefix(end + 1);
    if (line.starts_with("import ")) continue;
    if (line.starts_with("export ")) line.remove_prefix(7);
    out += line;
  }
}

/// JSON that holds no < and none of the two line ends that JavaScript knows besides \n.
std::string embedded(const Json& data) {
  std::string out;
  for (const char c : data.dump(-1, ' ', false, Json::error_handler_t::replace)) {
    if (c == '<') {
      out += "\\u003c";
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

std::optional<std::string_view> web_file(std::string_view name) {
  for (std::size_t i = 0; i < kWebFileCount; ++i) {
    if (kWebFiles[i].name == name) return kWebFiles[i].text;
  }
  return std::nullopt;
}

std::vector<std::string> series_colours() {
  const std::string_view css = *web_file("page.css");  // the light theme comes first
  std::vector<std::string> colours;
  for (;;) {
    const std::string name = "--c" + std::to_string(colours.size() + 1) + ": ";
    const auto at = css.find(name);
    if (at == std::string_view::npos) return colours;
    colours.emplace_back(css.substr(at + name.size(), std::string_view("#0072B2").size()));
  }
}

std::string page_html(const Json& data) {
  std::string program;
  for (const auto name : kModules) append_module(program, *web_file(name));
  program += "startReport();\n";
  return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         // Nothing is fetched: not even a hostile name in a study could fetch something.
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
         "script-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>bocs</title>\n"
         "<link rel=\"icon\" href=\"data:,\">\n<style>\n" +
         std::string(*web_file("page.css")) +
         "</style>\n</head>\n<body>\n<main id=\"page\"></main>\n<noscript>This page needs JavaScript.</noscript>\n"
         "<script type=\"application/json\" id=\"data\">" +
         embedded(data) + "</script>\n<script type=\"module\">\n" + program + "</script>\n</body>\n</html>\n";
}

namespace {

Json whole(Study& study, const ReportOptions& options) {
  study.refresh();
  Json data = study_data(study, options);
  data["recommended"] = recommended_data(study);
  if (options.explain) data.update(learnt_data(study, options.threads));
  return data;
}

}  // namespace

std::string report_html(Study& study, const ReportOptions& options) { return page_html(whole(study, options)); }

std::string report_json(Study& study, const ReportOptions& options) {
  return whole(study, options).dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace bocs
