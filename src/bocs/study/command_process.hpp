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
  enum class End { exited, signalled, timed_out, cancelled, not_started, answered, out_of_step };
  End end = End::not_started;
  int code = 0;             // the exit code, the signal, or errno of what could not be started
  std::string output_tail;  // of stdout, at most kOutputTail bytes
  bool output_cut = false;  // there was more before it
  // The program has ended, but something it started, and that left its process group, still has its stdout.
  bool output_shared = false;
  std::string error_tail;  // of stderr, at most kErrorTail bytes
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
///
/// An answer that names its question is proven by that. Any other one is proven as follows. After it the program is
/// sent `opening`, with which every question begins. Once it has read that, it waits for the rest: what it had to say
/// about the question before has been printed. If that is one line, it is the answer. If not, the program is out of
/// step: nobody knows which line belongs to which question. That holds for programs that read a line when they need
/// one; one that reads ahead, or behind a program that does, must name its questions.
class Conversation {
 public:
  explicit Conversation(std::string opening);
  ~Conversation();
  Conversation(const Conversation&) = delete;
  Conversation& operator=(const Conversation&) = delete;

  enum class Names { right, wrong, nothing };
  /// Which question does this line say it answers?
  using Judge = std::function<Names(const std::string& line)>;

  /// Sends request.input, one line that begins with the opening, and waits for the answer, which is the result's
  /// output_tail (End::answered). Starts the program if it does not run, and once more if it ended before it had read
  /// the question. The time-out and the cancellation are those of this line, and end it. End::out_of_step: the
  /// output_tail is what it printed; it has been ended.
  ProcessResult ask(const ProcessRequest& request, const Judge& judge);

 private:
  int start(const ProcessRequest& request);  // errno; 0: it runs
  ProcessResult exchange(const ProcessRequest& request, const Judge& judge, bool& was_read);
  /// Everything printed until the program waits for its next question, or has ended.
  std::string rest_of_answer(const ProcessRequest& request);
  ProcessResult out_of_step(const std::string& printed);

  std::string opening_;
  struct Talk;
  std::unique_ptr<Talk> talk_;
};

/// Where execution would find the program: itself if it has a slash (seen from `directory`), else the first match on
/// PATH; nothing if there is none that may be executed.
std::optional<std::string> find_program(const std::string& name, const std::string& directory = {});

}  // namespace bocs
