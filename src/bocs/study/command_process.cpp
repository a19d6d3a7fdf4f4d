#include "bocs/study/command_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <thread>
#include <tuple>

#include "bocs/platform/platform.hpp"
#include "bocs/study/command_child.hpp"

namespace bocs {
namespace {

using End = ProcessResult::End;
constexpr double kSettleSeconds = 0.2;
constexpr double kReadSeconds = 60;  // from an answer to the next reading of stdin, where there is no time-out
constexpr int kQuickLooks = 20;      // most programs read again at once
constexpr std::chrono::microseconds kQuickPause{50};

bool is_blank(const std::string& text) { return text.find_first_not_of(" \t\r\n") == std::string::npos; }

/// What has been written into a pipe and not been read.
int unread_bytes(int pipe) {
  int bytes = 0;
  return ioctl(pipe, FIONREAD, &bytes) == 0 ? bytes : 0;
}

/// Slurm and systemd end a whole job by SIGTERM to the program and to us, perhaps to it first: then
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
ssize_t write_some(int pipe, const char* data, std::size_t size) {
  const ssize_t n = platform::write_quietly(pipe, data, size);
  return n < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : n;
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
  const Descriptor input = input_file(request.input);
  if (!input.open()) return not_started(errno);
  ChildProcess child(request, input, ChildProcess::DiesWith::thread);
  if (child.failure() != 0) return not_started(child.failure());
  ProcessResult result = finished(child, request, wait_for(child, request, [] { return false; }));
  result.output_shared = result.end == End::exited && !child.output_ends(kGraceSeconds);
  return result;
}

struct Conversation::Talk {
  Pipe input;
  std::unique_ptr<ChildProcess> child;
  bool is_opened = false;  // it has been sent the opening of the next question
};

Conversation::Conversation(std::string opening) : opening_(std::move(opening)), talk_(std::make_unique<Talk>()) {}

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
  talk_->child = std::make_unique<ChildProcess>(request, talk_->input.read, ChildProcess::DiesWith::process);
  talk_->input.read.close();
  const int failure = talk_->child->failure();
  if (failure != 0) talk_->child.reset();
  return failure;
}

ProcessResult Conversation::ask(const ProcessRequest& request, const Judge& judge) {
  const bool runs = talk_->child && !talk_->child->ended();
  if (!runs) {
    if (const int failure = start(request)) return not_started(failure);
  }
  bool was_read = false;
  ProcessResult result = exchange(request, judge, was_read);
  // It ended between two questions, and this one is innocent.
  const bool again = runs && !was_read && result.end == End::exited && is_blank(result.output_tail);
  if (!again) return result;
  if (const int failure = start(request)) return not_started(failure);
  return exchange(request, judge, was_read);
}

ProcessResult Conversation::exchange(const ProcessRequest& request, const Judge& judge, bool& was_read) {
  ChildProcess& child = *talk_->child;
  const int pipe = talk_->input.write.get();
  child.output.drain();
  (void)child.error.take();  // what it said about an earlier point
  if (const std::string unasked = child.output.take().first; !is_blank(unasked)) return out_of_step(unasked);
  std::size_t sent = talk_->is_opened ? opening_.size() : 0;
  bool is_closed = false;  // nobody reads it any more: it may still answer, or is just ending
  talk_->is_opened = false;
  std::optional<std::string> line;
  const auto answered = [&] {
    const std::string_view left = std::string_view(request.input).substr(sent);
    const ssize_t n = left.empty() || is_closed ? 0 : write_some(pipe, left.data(), left.size());
    is_closed |= n < 0;
    if (n > 0) sent += static_cast<std::size_t>(n);
    while (!line && (line = child.output.take_line())) {
      if (is_blank(*line)) line.reset();
    }
    return line.has_value() || child.output.too_long();
  };
  (void)answered();  // sends it at once
  const End end = wait_for(child, request, answered);
  was_read = sent == request.input.size() && unread_bytes(pipe) == 0;
  if (end != End::answered) {
    ProcessResult result = finished(child, request, end);
    *talk_ = {};
    return result;
  }
  ProcessResult result;
  result.end = End::answered;
  result.output_cut = !line.has_value();
  result.output_tail = line ? *line : child.output.take().first;
  const Names named = result.output_cut ? Names::nothing : judge(result.output_tail);
  if (named == Names::wrong) return out_of_step(result.output_tail);
  if (named == Names::nothing && !result.output_cut) {
    const std::string more = rest_of_answer(request);
    if (!is_blank(more)) return out_of_step(result.output_tail + "\n" + more);
  }
  result.error_tail = child.error.take().first;
  if (result.output_cut) *talk_ = {};  // the rest of the line would be taken for an answer
  return result;
}

std::string Conversation::rest_of_answer(const ProcessRequest& request) {
  ChildProcess& child = *talk_->child;
  const int pipe = talk_->input.write.get();
  talk_->is_opened = write_some(pipe, opening_.data(), opening_.size()) == static_cast<ssize_t>(opening_.size());
  const auto is_read = [&] { return !talk_->is_opened || unread_bytes(pipe) == 0; };
  for (int i = 0; i < kQuickLooks && !is_read(); ++i) std::this_thread::sleep_for(kQuickPause);
  const double patience = request.timeout_seconds > 0 ? request.timeout_seconds : kReadSeconds;
  const auto enough = [&] { return is_read() || (request.cancelled && request.cancelled()); };
  if (!is_read() && !child.wait(patience, enough) && !is_read()) child.terminate();  // it will not read any more
  child.output.drain();
  return child.output.take().first;
}

ProcessResult Conversation::out_of_step(const std::string& printed) {
  ProcessResult result;
  result.end = End::out_of_step;
  result.output_tail = printed;
  result.error_tail = talk_->child->error.take().first;
  *talk_ = {};
  return result;
}

}  // namespace bocs
