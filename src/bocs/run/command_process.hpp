#pragma once
// One child process, watched: what it printed, and how it ended.

#include <functional>
#include <memory>
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
  enum class End { exited, signalled, timed_out, cancelled, not_started, answered };  // the last: it goes on
  End end = End::not_started;
  int code = 0;             // the exit code, the signal, or errno of what could not be started
  std::string output_tail;  // of stdout, at most kOutputTail bytes
  bool output_cut = false;  // there was more before it
  std::string error_tail;   // of stderr, at most kErrorTail bytes
  bool unasked = false;     // of a Conversation: output_tail is what it printed before it was asked
};

inline constexpr std::size_t kOutputTail = 65536;
inline constexpr std::size_t kErrorTail = 2000;

/// Runs the program in a process group of its own and waits for it. After a time-out or a cancellation the whole group
/// gets SIGTERM and, two seconds later, SIGKILL; what a program leaves behind in its group when it ends is killed too.
/// If we die, even by kill -9, the group is killed: a second process waits for that. May be called from several threads
/// at once.
ProcessResult run_process(const ProcessRequest& request);

/// A program that stays up and answers a line for every line it is given. Used by one thread at a time. It is ended by
/// the end of its input, or else as run_process does it.
class Conversation {
 public:
  Conversation();
  ~Conversation();
  Conversation(const Conversation&) = delete;
  Conversation& operator=(const Conversation&) = delete;

  /// Sends request.input, one line, and waits for the answer, which is the result's output_tail (End::answered). Starts
  /// the program if it does not run; the time-out and the cancellation are those of this line, and end it. What it
  /// printed before it was asked is not taken for an answer: it is ended, and the result says so (`unasked`).
  ProcessResult ask(const ProcessRequest& request);

 private:
  int start(const ProcessRequest& request);  // errno; 0: it runs

  struct Talk;
  std::unique_ptr<Talk> talk_;
};

/// Where execution would find the program: itself if it has a slash (seen from `directory`), else the first match on
/// PATH; nothing if there is none that may be executed.
std::optional<std::string> find_program(const std::string& name, const std::string& directory = {});

}  // namespace bocs
