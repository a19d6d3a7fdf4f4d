#include "bocs/study/command_child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <vector>

#include "bocs/platform/platform.hpp"

namespace bocs {
namespace {

[[noreturn]] void wait_for_our_end(int life) {
  setpgid(0, 0);
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, nullptr);  // what the group gets, or a terminal sends, is not meant for it
  platform::close_all_but(life);
  char nothing = 0;
  while (read(life, &nothing, 1) < 0 && errno == EINTR) {
  }
  ::kill(0, SIGKILL);
  _exit(0);
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (auto& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

std::vector<std::string> child_environment(const ProcessRequest& request) {
  std::vector<std::string> result;
  for (const auto& [name, value] : request.environment) result.push_back(name + "=" + value);
  for (char** entry = platform::environment(); *entry != nullptr; ++entry) {
    const std::string text = *entry;
    // Of the store and of the dashboard: none of the program's business.
    if (text.starts_with("PGPASSWORD=") || text.starts_with("BOCS_DASHBOARD_TOKEN=")) continue;
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
  bool ends_with_thread = false;
};

[[noreturn]] void become_child(const Launch& launch) {
  const auto fail = [&] {
    const int code = errno;
    [[maybe_unused]] const ssize_t n = write(launch.report, &code, sizeof code);
    _exit(127);
  };
  setpgid(0, launch.group);
  if (launch.ends_with_thread) platform::die_with_parent_thread();
  if (getppid() != launch.parent) _exit(127);  // the parent died before we came here
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  signal(SIGPIPE, SIG_DFL);  // an ignored signal would stay ignored
  if (!launch.directory.empty() && chdir(launch.directory.c_str()) != 0) fail();
  if (dup2(launch.input, 0) < 0 || dup2(launch.output, 1) < 0 || dup2(launch.error, 2) < 0) fail();
  platform::close_on_exec_from(3);  // whatever else we hold
  execve(launch.program.c_str(), launch.arguments.data(), launch.environment.data());
  fail();
  _exit(127);
}

}  // namespace

Descriptor::Descriptor(int fd) : fd_(fd) {
  if (fd < 0 || fd > 2) return;
  fd_ = fcntl(fd, F_DUPFD_CLOEXEC, 3);
  ::close(fd);
}

void Descriptor::close() {
  if (fd_ >= 0) ::close(std::exchange(fd_, -1));
}

bool Pipe::make() {
  std::array<int, 2> ends{};
  if (!platform::make_pipe(ends.data())) return false;
  read = Descriptor(ends[0]);
  write = Descriptor(ends[1]);
  return true;
}

Descriptor input_file(const std::string& input) {
  Descriptor file(platform::nameless_file());
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

Guard::Guard() {
  Pipe life;  // its other end closes when we die
  pid_ = life.make() ? fork() : -1;
  failure_ = pid_ < 0 ? errno : 0;
  if (pid_ == 0) wait_for_our_end(life.read.get());
  if (pid_ > 0) setpgid(pid_, pid_);  // both sides do it, in either order
  life_ = std::move(life.write);
}

Guard::~Guard() {
  if (pid_ <= 0) return;
  kill(SIGKILL);
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void Guard::kill(int number) const { ::kill(-pid_, number); }

void Tail::listen(Descriptor source) {
  source_ = std::move(source);
  fcntl(source_.get(), F_SETFL, O_NONBLOCK);
}

void Tail::drain() {
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

std::pair<std::string, bool> Tail::take() {
  cut();
  return {std::exchange(text_, {}), std::exchange(dropped_, false)};
}

std::optional<std::string> Tail::take_line() {
  const std::size_t end = text_.find('\n');
  if (end == std::string::npos) return std::nullopt;
  std::string line = text_.substr(0, end);
  text_.erase(0, end + 1);
  return line;
}

void Tail::cut() {
  if (text_.size() <= limit_) return;
  text_.erase(0, text_.size() - limit_);
  dropped_ = true;
}

ChildProcess::ChildProcess(const ProcessRequest& request, const Descriptor& input, DiesWith dies_with)
    : output(kOutputTail), error(kErrorTail) {
  failure_ = start(request, input, dies_with);
}

int ChildProcess::start(const ProcessRequest& request, const Descriptor& input, DiesWith dies_with) {
  const auto program =
      request.arguments.empty() ? std::nullopt : find_program(request.arguments.front(), request.directory);
  if (!program) return ENOENT;
  if (guard_.failure() != 0) return guard_.failure();
  std::vector<std::string> arguments = request.arguments;
  std::vector<std::string> environment = child_environment(request);
  Pipe out, err, report;
  if (!out.make() || !err.make() || !report.make()) return errno;
  const Launch launch{*program,
                      pointers(arguments),
                      pointers(environment),
                      request.directory,
                      input.get(),
                      out.write.get(),
                      err.write.get(),
                      report.write.get(),
                      getpid(),
                      guard_.group(),
                      dies_with == DiesWith::thread};
  pid_ = fork();
  if (pid_ < 0) return errno;
  if (pid_ == 0) become_child(launch);
  setpgid(pid_, guard_.group());  // the child does it, too, in either order
  for (Pipe* pipe : {&out, &err, &report}) pipe->write.close();

  int code = 0;  // its end of the pipe closes without a word when the program has started
  ssize_t told = 0;
  while ((told = read(report.read.get(), &code, sizeof code)) < 0 && errno == EINTR) {
  }
  if (told == sizeof code) {
    reap();
    return code;
  }
  output.listen(std::move(out.read));
  error.listen(std::move(err.read));
  return 0;
}

ChildProcess::~ChildProcess() {
  if (pid_ > 0) reap();
}

bool ChildProcess::ended() const {
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid_;
}

void ChildProcess::look(int milliseconds) {
  std::array<pollfd, 2> sources{{{output.descriptor(), POLLIN, 0}, {error.descriptor(), POLLIN, 0}}};
  poll(sources.data(), sources.size(), milliseconds);
  output.drain();
  error.drain();
}

void ChildProcess::terminate() {
  guard_.kill(SIGTERM);
  wait(kGraceSeconds, [] { return false; });
}

int ChildProcess::reap() {
  output.drain();  // all that it printed is there; what comes later is from something it left behind
  error.drain();
  guard_.kill(SIGKILL);
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  return status;
}

bool ChildProcess::output_ends(double seconds) {
  const double start = steady_seconds();
  while (output.open() && steady_seconds() - start < seconds) look(kMaxWaitMilliseconds);
  return !output.open();
}

}  // namespace bocs
