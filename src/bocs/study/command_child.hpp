#pragma once
// The parts of a child process: its pipes, what it printed, and the child itself. Used by command_process alone.

#include <sys/types.h>

#include <optional>
#include <string>
#include <utility>

#include "bocs/base/clock.hpp"
#include "bocs/study/command_process.hpp"

namespace bocs {

/// A file descriptor that closes itself, above those of stdin, stdout and stderr, even if they were closed before
/// bocs started: the child's dup2() must not overwrite what it still needs.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd);
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() { close(); }
  void close();
  [[nodiscard]] int get() const { return fd_; }
  [[nodiscard]] bool open() const { return fd_ >= 0; }

 private:
  int fd_ = -1;
};

struct Pipe {
  Descriptor read, write;
  bool make();
};

/// The leader of the child's process group, a process that does nothing but wait for our end, even by kill -9, and then
/// ends the group. It is a member: when the child has ended, it is killed with the rest, and until it is reaped its
/// number belongs to it.
class Guard {
 public:
  Guard();
  ~Guard();
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;
  [[nodiscard]] pid_t group() const { return pid_; }
  [[nodiscard]] int failure() const { return failure_; }  // errno of what could not be made; 0: it is there
  void kill(int number) const;

 private:
  pid_t pid_ = -1;
  int failure_ = 0;
  Descriptor life_;
};

/// The last bytes of what a pipe delivers.
class Tail {
 public:
  explicit Tail(std::size_t limit) : limit_(limit) {}
  void listen(Descriptor source);
  [[nodiscard]] bool open() const { return source_.open(); }
  [[nodiscard]] int descriptor() const { return source_.get(); }  // -1 after its end: poll() passes it over

  /// Takes what is there, at most as much as a pipe holds a few times over: an endless writer must not keep us here.
  void drain();
  /// The text, and whether something before it was dropped.
  std::pair<std::string, bool> take();
  /// The first line, without its end, if there is a whole one.
  std::optional<std::string> take_line();
  [[nodiscard]] bool too_long() const { return dropped_; }

 private:
  void cut();

  Descriptor source_;
  std::size_t limit_;
  std::string text_;
  bool dropped_ = false;
};

/// A program in a process group of its own. What it leaves behind in that group ends with it, and all of it with us.
class ChildProcess {
 public:
  /// Starts the program of the request; `input` becomes its stdin.
  enum class DiesWith { thread, process };  // whose end ends it at once; that of the process always does
  ChildProcess(const ProcessRequest& request, const Descriptor& input, DiesWith dies_with);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  [[nodiscard]] int failure() const { return failure_; }  // errno of what could not be started; 0: it runs
  [[nodiscard]] bool ended() const;
  /// Waits until it ends, the seconds (0: any number) are over or `enough` says so, and reads what it prints; true: it
  /// has ended.
  template <class Enough>
  bool wait(double seconds, const Enough& enough);
  /// SIGTERM to the group, SIGKILL two seconds later if need be.
  void terminate();
  /// After its end: ends what is left of the group and returns the status as waitpid() gives it.
  int reap();
  /// After that: waits until no process has its stdout any more; false: one still has after these seconds.
  bool output_ends(double seconds);

  Tail output, error;

 private:
  int start(const ProcessRequest& request, const Descriptor& input, DiesWith dies_with);  // errno
  void look(int milliseconds);                                                            // reads what comes meanwhile

  Guard guard_;
  pid_t pid_ = -1;
  int failure_ = 0;
};

/// The input as a file in memory: unlike a pipe it cannot block us, nor raise SIGPIPE when the child does not read it.
Descriptor input_file(const std::string& input);

inline constexpr double kGraceSeconds = 2;       // between SIGTERM and SIGKILL
inline constexpr int kMaxWaitMilliseconds = 50;  // between two looks at the child

template <class Enough>
bool ChildProcess::wait(double seconds, const Enough& enough) {
  const double start = steady_seconds();
  for (int pause = 1; !ended(); pause = std::min(2 * pause, kMaxWaitMilliseconds)) {
    const bool open = output.open() || error.open();
    look(pause);
    if (open && !output.open() && !error.open()) pause = 1;  // most likely it is just ending
    if (enough() || (seconds > 0 && steady_seconds() - start >= seconds)) return ended();
  }
  return true;
}

}  // namespace bocs
