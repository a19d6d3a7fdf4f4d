#include "bocs/run/command_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <tuple>

#include "bocs/run/command_child.hpp"

namespace bocs {
namespace {

using End = ProcessResult::End;
constexpr double kSettleSeconds = 0.2;

/// Whoever ends a whole job, as Slurm and systemd do, sends SIGTERM to the program and to us, perhaps to it first: then
/// the evaluation has not failed, it was cancelled.
bool was_cancelled(const ProcessRequest& request, int status) {
  if (!request.cancelled || status == 0) return false;
  const bool is_ordered = WIFSIGNALED(status) ? WTERMSIG(status) == SIGTERM : WEXITSTATUS(status) == 128 + SIGTERM;
  const double deadline = steady_seconds() + kSettleSeconds;
  while (!request.cancelled()) {
    if (!is_ordered || steady_seconds() >= deadline) return false;
    poll(nullptr, 0, kMaxWaitMilliseconds);
  }
  return true;
}

/// Waits for the end of the child, for `answered` or for a limit of the request, and says which it was.
template <class Answered>
End wait_for(ChildProcess& child, const ProcessRequest& request, const Answered& answered) {
  bool is_answered = false, is_cancelled = false;
  const auto enough = [&] {
    is_answered = answered();
    is_cancelled = !is_answered && request.cancelled && request.cancelled();
    return is_answered || is_cancelled;
  };
  const bool ended = child.wait(request.timeout_seconds, enough);
  if (is_answered || answered()) return End::answered;
  if (is_cancelled) return End::cancelled;
  return ended ? End::exited : End::timed_out;
}

/// The result of a child that has ended by itself, or is ended now.
ProcessResult finished(ChildProcess& child, const ProcessRequest& request, End end) {
  ProcessResult result;
  if (end != End::exited) child.terminate();
  const int status = child.reap();
  if (end == End::exited && was_cancelled(request, status)) end = End::cancelled;
  if (end == End::exited && WIFSIGNALED(status)) end = End::signalled;
  if (end == End::exited) result.code = WEXITSTATUS(status);
  if (end == End::signalled) result.code = WTERMSIG(status);
  result.end = end;
  std::tie(result.output_tail, result.output_cut) = child.output.take();
  result.error_tail = child.error.take().first;
  return result;
}

ProcessResult not_started(int code) {
  ProcessResult result;
  result.code = code;
  return result;
}

/// Writes what fits into the pipe now, and returns how much; -1: nobody reads it any more. No SIGPIPE comes of it.
ssize_t write_quietly(int pipe, const char* data, std::size_t size) {
  sigset_t sigpipe, before;
  sigemptyset(&sigpipe);
  sigaddset(&sigpipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &sigpipe, &before);
  const ssize_t n = write(pipe, data, size);
  const int error = n < 0 ? errno : 0;
  if (error == EPIPE && sigismember(&before, SIGPIPE) == 0) {
    const timespec now{};
    sigtimedwait(&sigpipe, nullptr, &now);  // the one this thread has just got
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return error == 0 ? n : error == EAGAIN || error == EINTR ? 0 : -1;
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
  ChildProcess child(request, input_file(request.input), ChildProcess::Life::of_thread);
  if (child.failure() != 0) return not_started(child.failure());
  return finished(child, request, wait_for(child, request, [] { return false; }));
}

struct Conversation::Talk {
  Pipe input;
  std::unique_ptr<ChildProcess> child;
};

Conversation::Conversation() : talk_(std::make_unique<Talk>()) {}

Conversation::~Conversation() {
  if (!talk_->child) return;
  talk_->input.write.close();  // the end of its input asks it to end
  const bool ended = talk_->child->wait(kGraceSeconds, [] { return false; });
  if (!ended) talk_->child->terminate();
}

int Conversation::start(const ProcessRequest& request) {
  *talk_ = {};
  if (!talk_->input.make()) return errno;
  fcntl(talk_->input.write.get(), F_SETFL, O_NONBLOCK);
  talk_->child = std::make_unique<ChildProcess>(request, talk_->input.read, ChildProcess::Life::of_process);
  talk_->input.read.close();
  const int failure = talk_->child->failure();
  if (failure != 0) talk_->child.reset();
  return failure;
}

ProcessResult Conversation::ask(const ProcessRequest& request) {
  if (!talk_->child || talk_->child->ended()) {
    if (const int failure = start(request)) return not_started(failure);
  }
  ChildProcess& child = *talk_->child;
  child.output.drain();
  (void)child.error.take();  // what it said about an earlier point
  ProcessResult result;
  result.end = End::answered;
  std::tie(result.output_tail, result.output_cut) = child.output.take();
  const bool unasked = result.output_tail.find_first_not_of(" \t\r\n") != std::string::npos;
  std::size_t sent = 0;
  std::optional<std::string> line;
  const auto answered = [&] {
    const std::string_view left = std::string_view(request.input).substr(sent);
    const ssize_t n = left.empty() ? 0 : write_quietly(talk_->input.write.get(), left.data(), left.size());
    if (n < 0) sent = request.input.size();  // it does not read any more: it may still answer, or is just ending
    if (n > 0) sent += static_cast<std::size_t>(n);
    while (!line && (line = child.output.take_line())) {
      if (line->find_first_not_of(" \t\r") == std::string::npos) line.reset();  // an empty one
    }
    return line.has_value() || child.output.too_long();
  };
  if (!unasked) {
    (void)answered();  // sends it at once
    const End end = wait_for(child, request, answered);
    if (end != End::answered) {
      result = finished(child, request, end);
      *talk_ = {};
      return result;
    }
    result.error_tail = child.error.take().first;
    result.output_tail = line.value_or("");
    result.output_cut = child.output.too_long();
  }
  result.unasked = unasked;
  if (unasked || result.output_cut) *talk_ = {};  // nobody knows any more which answer belongs to which point
  return result;
}

}  // namespace bocs
