#pragma once
// One child process, watched: what it printed, and how it ended.

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace bocs {

struct ProcessRequest {
  std::vector<std::string> arguments;                                 // the program first; never a shell line
  std::vector<std::pair<std::string, std::string>> environment = {};  // on top of ours
  std::string input = {};                                             // what it reads from stdin
  std::string directory = {};                                         // where it runs; empty: here
  double timeout_seconds = 0;                                         // 0: none
  std::function<bool()> cancelled = {};                               // asked often; true: end it now
};

struct ProcessResult {
  enum class End { exited, signalled, timed_out, cancelled, not_started };
  End end = End::not_started;
  int code = 0;             // the exit code, the signal, or errno of what could not be started
  std::string output_tail;  // of stdout, at most kOutputTail bytes
  bool output_cut = false;  // there was more before it
  std::string error_tail;   // of stderr, at most kErrorTail bytes
};

inline constexpr std::size_t kOutputTail = 65536;
inline constexpr std::size_t kErrorTail = 2000;

/// Runs the program in a process group of its own and waits for it. After a time-out or a cancellation the whole group
/// gets SIGTERM and, two seconds later, SIGKILL; what a program leaves behind in its group when it ends is killed too.
/// If we die, even by kill -9, the group is killed: a second process waits for that. May be called from several threads
/// at once.
ProcessResult run_process(const ProcessRequest& request);

/// Where execution would find the program: itself if it has a slash (seen from `directory`), else the first match on
/// PATH; nothing if there is none that may be executed.
std::optional<std::string> find_program(const std::string& name, const std::string& directory = {});

}  // namespace bocs
