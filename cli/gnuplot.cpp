#include "gnuplot.hpp"

#include <fmt/core.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "bocs/core/error.hpp"

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
  std::string program = "gnuplot";
  std::string argument = script;
  char* arguments[] = {program.data(), argument.data(), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  pid_t child = 0;
  const int error = posix_spawnp(&child, program.c_str(), &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  const std::string kept = "; the script " + script + " and its data are in " + folder.string();
  if (error == ENOENT) throw Error("gnuplot is not installed (Debian: apt install gnuplot-nox)" + kept);
  if (error != 0) throw Error(std::string("gnuplot cannot be started: ") + std::strerror(error) + kept);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) throw Error("gnuplot failed" + kept);
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
