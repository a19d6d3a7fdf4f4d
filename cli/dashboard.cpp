#include "bocs/report/dashboard.hpp"

#include <fmt/core.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>

#include "arguments.hpp"
#include "bocs/numeric/parallel.hpp"
#include "bocs/study/open_study.hpp"
#include "study_arguments.hpp"
#include "terminal.hpp"

namespace bocs::cli {
namespace {

constexpr const char* kAboutDashboard =
    R"(Shows the studies of a store in the browser, live: progress, workers, running trials, and for each study the page of
`bocs report`, in which new trials appear by themselves. Studies can be paused, given another budget, told values and
points.

  bocs dashboard study.toml
  bocs dashboard --store sqlite:stations.db

Prints the URL to open, which holds a token: without it nothing is answered. Only this machine is served; to serve others,
give --host and a token of your own, and mind that it is sent without encryption. The token is read from --token-file, or
from the environment variable BOCS_DASHBOARD_TOKEN; everybody on the machine can read a command line.)";

struct DashboardArguments {
  std::string file;
  std::string token_file;
  DashboardOptions options;
};

/// As in a URL.
std::string percent_encoded(const std::string& text) {
  std::string result;
  for (const char c : text) {
    const bool plain =
        (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_';
    result += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return result;
}

/// Of the file, if one is named, or of the environment; empty: a random one will do.
std::string chosen_token(const std::string& file) {
  if (file.empty()) {
    const char* token = std::getenv("BOCS_DASHBOARD_TOKEN");
    return token == nullptr ? "" : token;
  }
  struct stat status {};
  std::ifstream in(file);
  require(in && ::stat(file.c_str(), &status) == 0 && !S_ISDIR(status.st_mode),
          [&] { return "--token-file: " + file + " cannot be read"; });
  require((status.st_mode & (S_IRWXG | S_IRWXO)) == 0,
          [&] { return "--token-file: others may use " + file + "; next: chmod 600 " + file; });
  std::string token;
  in >> token;
  require(!token.empty(), [&] { return "--token-file: " + file + " is empty"; });
  return token;
}

void serve_dashboard(const DashboardArguments& arguments) {
  DashboardOptions options = arguments.options;
  options.token = chosen_token(arguments.token_file);
  require(arguments.file.empty() != options.store.empty(), "name the store by --store URL, or by a study FILE");
  std::string view;  // of the page: the study of the file, or all of them
  if (!arguments.file.empty()) {
    options.store = store_of(arguments.file);
    if (options.store != "sqlite:" + arguments.file) {
      const StudyFile file = load_file(arguments.file);
      if (!find_study(options.store, file.spec.name))
        as_data([&] { open_study(file); });  // to be looked at before it runs
      view = "&study=" + percent_encoded(file.spec.name);
    }
  }
  listen_for_interrupt();
  options.stop = interrupted;
  options.threads = hardware_threads();
  options.on_ready = [view](const std::string& url) {
    fmt::print("{}{}\n", url, view);
    flush_output();
  };
  run_dashboard(options);
}

}  // namespace

void add_dashboard(CLI::App& app) {
  CLI::App* command = add_command(app, "dashboard", "studies in the browser, live", kAboutDashboard);
  const auto arguments = std::make_shared<DashboardArguments>();
  command->add_option("FILE", arguments->file, "a study file, whose store is shown, or a SQLite file; or else --store")
      ->type_name("");
  command->add_option("--store", arguments->options.store, "sqlite:FILE or postgresql://USER@HOST/DATABASE")
      ->type_name("URL");
  command->add_option("--port", arguments->options.port, "0: one that is free")
      ->check(whole_number(0, 65535))
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--host", arguments->options.host, "address to listen on")
      ->type_name("HOST")
      ->capture_default_str();
  command
      ->add_option("--token-file", arguments->token_file,
                   "a file with a token of at least 16 letters and digits; otherwise a random one")
      ->type_name("FILE");
  command->callback([arguments] { serve_dashboard(*arguments); });
}

}  // namespace bocs::cli
