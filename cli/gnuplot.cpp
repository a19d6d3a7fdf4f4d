#include "gnuplot.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "bocs/core/error.hpp"

namespace bocs::cli {

void run_gnuplot(const std::filesystem::path& folder, const std::string& script) {
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

}  // namespace bocs::cli
