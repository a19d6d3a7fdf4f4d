#include "bocs/run/command_process.hpp"

#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <utility>

extern char** environ;

namespace bocs {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kGrace = std::chrono::seconds(2);  // between SIGTERM and SIGKILL
constexpr int kMaxWaitMilliseconds = 50;          // between two looks at the child
constexpr auto kSettle = std::chrono::milliseconds(200);

/// A file descriptor that closes itself, above those of stdin, stdout and stderr, even if somebody closed these before
/// starting us: the child's dup2() must not overwrite what it still needs.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {
    if (fd < 0 || fd > 2) return;
    fd_ = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    ::close(fd);
  }
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() { close(); }
  void close() {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  }
  [[nodiscard]] int get() const { return fd_; }
  [[nodiscard]] bool open() const { return fd_ >= 0; }

 private:
  int fd_ = -1;
};

struct Pipe {
  Descriptor read, write;
  bool make() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) return false;
    read = Descriptor(ends[0]);
    write = Descriptor(ends[1]);
    return true;
  }
};

/// The input as a file in memory: unlike a pipe it cannot block us, nor raise SIGPIPE when the child does not read it.
Descriptor input_file(const std::string& input) {
  Descriptor file(memfd_create("bocs-point", MFD_CLOEXEC));
  std::size_t done = 0;
  while (file.open() && done < input.size()) {
    const ssize_t n = write(file.get(), input.data() + done, input.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return {};
    done += static_cast<std::size_t>(n);
  }
  if (file.open()) lseek(file.get(), 0, SEEK_SET);
  return file;
}

/// The leader of the child's process group, a process that does nothing but wait for our end, even by kill -9, and then
/// ends the group. It is a member: when the child has ended, it is killed with the rest, and until it is reaped its
/// number belongs to it.
class Guard {
 public:
  Guard() {
    Pipe life;  // its other end closes when we die
    if (!life.make()) return;
    pid_ = fork();
    if (pid_ == 0) wait_for_the_end(life.read.get());
    if (pid_ > 0) setpgid(pid_, pid_);  // both sides do it: whoever comes first
    life_ = std::move(life.write);
  }
  ~Guard() {
    if (pid_ <= 0) return;
    kill(SIGKILL);
    while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;
  [[nodiscard]] pid_t group() const { return pid_; }  // -1: it could not be made
  void kill(int number) const { ::kill(-pid_, number); }

 private:
  [[noreturn]] static void wait_for_the_end(int life) {
    setpgid(0, 0);
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, nullptr);  // what the group gets, or a terminal sends, is not meant for it
    if (life > 0) close_range(0, static_cast<unsigned>(life) - 1, 0);
    close_range(static_cast<unsigned>(life) + 1, ~0U, 0);
    char nothing = 0;
    while (read(life, &nothing, 1) < 0 && errno == EINTR) {
    }
    ::kill(0, SIGKILL);
    _exit(0);
  }

  pid_t pid_ = -1;
  Descriptor life_;
};

/// The last bytes of what a pipe delivers.
class Tail {
 public:
  Tail(Descriptor source, std::size_t limit) : source_(std::move(source)), limit_(limit) {
    fcntl(source_.get(), F_SETFL, O_NONBLOCK);
  }
  [[nodiscard]] bool open() const { return source_.open(); }
  [[nodiscard]] int descriptor() const { return source_.get(); }  // -1 after its end: poll() passes it over

  /// Takes what is there, at most as much as a pipe holds a few times over: an endless writer must not keep us here.
  void drain() {
    std::array<char, 16384> buffer{};
    for (int round = 0; round < 64 && source_.open(); ++round) {
      const ssize_t n = ::read(source_.get(), buffer.data(), buffer.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0 && errno == EAGAIN) return;
      if (n <= 0) return source_.close();
      text_.append(buffer.data(), static_cast<std::size_t>(n));
      if (text_.size() > 2 * limit_) cut();
    }
  }

  /// The text, and whether something before it was dropped.
  std::pair<std::string, bool> take() {
    cut();
    return {std::move(text_), dropped_};
  }

 private:
  void cut() {
    if (text_.size() <= limit_) return;
    text_.erase(0, text_.size() - limit_);
    dropped_ = true;
  }

  Descriptor source_;
  std::size_t limit_;
  std::string text_;
  bool dropped_ = false;
};

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (auto& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

std::vector<std::string> child_environment(const ProcessRequest& request) {
  std::vector<std::string> result;
  for (const auto& [name, value] : request.environment) result.push_back(name + "=" + value);
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    const auto named = [&](const auto& added) { return text.starts_with(added.first + "="); };
    if (std::none_of(request.environment.begin(), request.environment.end(), named)) result.push_back(text);
  }
  return result;
}

/// All that the child needs, prepared before the fork: after it only async-signal-safe calls are allowed.
struct Launch {
  std::string program;
  std::vector<char*> arguments, environment;
  std::string directory;
  int input = -1, output = -1, error = -1, report = -1;
  pid_t parent = 0, group = 0;
};

[[noreturn]] void become_child(const Launch& launch) {
  const auto fail = [&] {
    const int code = errno;
    [[maybe_unused]] const ssize_t n = write(launch.report, &code, sizeof code);
    _exit(127);
  };
  setpgid(0, launch.group);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != launch.parent) _exit(127);  // the parent died before the line above
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  signal(SIGPIPE, SIG_DFL);  // an ignored signal would stay ignored
  if (!launch.directory.empty() && chdir(launch.directory.c_str()) != 0) fail();
  if (dup2(launch.input, 0) < 0 || dup2(launch.output, 1) < 0 || dup2(launch.error, 2) < 0) fail();
  close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);  // whatever else we hold
  execve(launch.program.c_str(), launch.arguments.data(), launch.environment.data());
  fail();
  _exit(127);
}

/// The child while it runs.
class Child {
 public:
  explicit Child(pid_t pid) : pid_(pid) {}

  [[nodiscard]] bool ended() const {
    siginfo_t info{};
    return waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid_;
  }
  int reap() const {
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
  }

 private:
  pid_t pid_;
};

/// Whoever ends a whole job, as Slurm and systemd do, sends SIGTERM to the program and to us, perhaps to it first: then
/// the evaluation has not failed, it was cancelled.
bool was_cancelled(const ProcessRequest& request, int status) {
  if (!request.cancelled || status == 0) return false;
  const bool is_ordered = WIFSIGNALED(status) ? WTERMSIG(status) == SIGTERM : WEXITSTATUS(status) == 128 + SIGTERM;
  const auto deadline = Clock::now() + kSettle;
  while (!request.cancelled()) {
    if (!is_ordered || Clock::now() >= deadline) return false;
    poll(nullptr, 0, kMaxWaitMilliseconds);
  }
  return true;
}

/// Waits for the end of the child, or ends it; collects what it prints meanwhile.
ProcessResult watch(const Child& child, const Guard& guard, const ProcessRequest& request, Tail& output, Tail& error) {
  using End = ProcessResult::End;
  ProcessResult result;
  result.end = End::exited;
  const auto start = Clock::now();
  const auto timeout = std::chrono::duration<double>(request.timeout_seconds);
  std::optional<Clock::time_point> kill_at;
  for (int wait = 1; !child.ended(); wait = std::min(2 * wait, kMaxWaitMilliseconds)) {
    std::array<pollfd, 2> sources{{{output.descriptor(), POLLIN, 0}, {error.descriptor(), POLLIN, 0}}};
    const bool open = output.open() || error.open();
    poll(sources.data(), sources.size(), wait);
    output.drain();
    error.drain();
    if (open && !output.open() && !error.open()) wait = 1;  // most likely it is just ending
    if (kill_at) {
      if (Clock::now() >= *kill_at) guard.kill(SIGKILL);
      continue;
    }
    if (request.cancelled && request.cancelled()) result.end = End::cancelled;
    if (request.timeout_seconds > 0 && Clock::now() - start >= timeout) result.end = End::timed_out;
    if (result.end != End::exited) {
      guard.kill(SIGTERM);
      kill_at = Clock::now() + kGrace;
    }
  }
  guard.kill(SIGKILL);
  const int status = child.reap();
  output.drain();
  error.drain();
  if (result.end == End::exited && was_cancelled(request, status)) result.end = End::cancelled;
  if (result.end == End::exited && WIFSIGNALED(status)) result.end = End::signalled;
  if (result.end == End::exited) result.code = WEXITSTATUS(status);
  if (result.end == End::signalled) result.code = WTERMSIG(status);
  std::tie(result.output_tail, result.output_cut) = output.take();
  result.error_tail = error.take().first;
  return result;
}

ProcessResult not_started(int code) {
  ProcessResult result;
  result.code = code;
  return result;
}

bool executable(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored) && access(path.c_str(), X_OK) == 0;
}

}  // namespace

std::optional<std::string> find_program(const std::string& name, const std::string& directory) {
  if (name.empty()) return std::nullopt;
  if (name.find('/') != std::string::npos) {
    const auto path = std::filesystem::absolute(std::filesystem::path(directory) / name);
    return executable(path) ? std::optional(path.string()) : std::nullopt;
  }
  const char* folders = std::getenv("PATH");
  std::stringstream list(folders != nullptr ? folders : "/usr/local/bin:/usr/bin:/bin");
  for (std::string folder; std::getline(list, folder, ':');) {
    const auto path = std::filesystem::absolute(folder.empty() ? "." : folder) / name;
    if (executable(path)) return path.string();
  }
  return std::nullopt;
}

ProcessResult run_process(const ProcessRequest& request) {
  const auto program =
      request.arguments.empty() ? std::nullopt : find_program(request.arguments.front(), request.directory);
  if (!program) return not_started(ENOENT);
  std::vector<std::string> arguments = request.arguments;
  std::vector<std::string> environment = child_environment(request);
  const Descriptor input = input_file(request.input);
  Pipe output, error, report;
  if (!input.open() || !output.make() || !error.make() || !report.make()) return not_started(errno);
  const Guard guard;
  if (guard.group() < 0) return not_started(errno);
  const Launch launch{*program,           pointers(arguments), pointers(environment), request.directory, input.get(),
                      output.write.get(), error.write.get(),   report.write.get(),    getpid(),          guard.group()};
  const pid_t pid = fork();
  if (pid < 0) return not_started(errno);
  if (pid == 0) become_child(launch);
  setpgid(pid, guard.group());  // the child does it, too: whoever comes first
  const Child child(pid);
  for (Pipe* pipe : {&output, &error, &report}) pipe->write.close();

  int code = 0;  // its end of the pipe closes without a word when the program has started
  ssize_t told = 0;
  while ((told = read(report.read.get(), &code, sizeof code)) < 0 && errno == EINTR) {
  }
  if (told == sizeof code) {
    child.reap();
    return not_started(code);
  }
  Tail out(std::move(output.read), kOutputTail);
  Tail err(std::move(error.read), kErrorTail);
  return watch(child, guard, request, out, err);
}

}  // namespace bocs
