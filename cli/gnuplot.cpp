#include "gnuplot.hpp"

#include <fmt/core.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "bocs/core/error.hpp"
#include "bocs/run/command_process.hpp"

namespace bocs::cli {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& file, const std::string& text) {
  std::ofstream stream(file);
  stream << text;
  stream.close();
  if (!stream) throw Error(file.string() + " cannot be written");
}

/// Runs `gnuplot script` in a folder.
void run_gnuplot(const fs::path& folder, const std::string& script) {
  const ProcessResult result = run_process({.arguments = {"gnuplot", script}, .directory = folder.string()});
  const std::string kept = "; the script " + script + " and its data are in " + folder.string();
  if (result.end == ProcessResult::End::not_started) {
    if (result.code == ENOENT) throw Error("gnuplot is not installed (Debian: apt install gnuplot-nox)" + kept);
    throw Error(std::string("gnuplot cannot be started: ") + std::strerror(result.code) + kept);
  }
  if (result.end != ProcessResult::End::exited || result.code != 0) {
    throw Error("gnuplot failed: " + result.error_tail + kept);
  }
}

}  // namespace

void write_figures(const fs::path& folder, const std::vector<Figure>& figures) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw Error(folder.string() + " cannot be made: " + error.message());
  for (const auto& figure : figures) {
    write(folder / (figure.name + ".csv"), figure.csv);
    write(folder / (figure.name + ".gp"), figure.script);
  }
  for (const auto& figure : figures) {
    run_gnuplot(folder, figure.name + ".gp");
    fmt::print("{}\n{}\n", (folder / (figure.name + ".svg")).string(), (folder / (figure.name + ".pdf")).string());
  }
}

}  // namespace bocs::cli
