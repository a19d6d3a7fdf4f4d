#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <sstream>

#include "bocs/platform/platform.hpp"

namespace bocs::platform {

void close_all_but(int kept) {
  if (kept > 0) close_range(0, static_cast<unsigned>(kept) - 1, 0);
  close_range(static_cast<unsigned>(kept) + 1, ~0U, 0);
}

void close_on_exec_from(int first) { close_range(static_cast<unsigned>(first), ~0U, CLOSE_RANGE_CLOEXEC); }

void die_with_parent_thread() { prctl(PR_SET_PDEATHSIG, SIGKILL); }

bool make_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC) == 0; }

int nameless_file() { return memfd_create("bocs-point", MFD_CLOEXEC); }

ssize_t send_quietly(int socket, const char* data, std::size_t size) {
  return ::send(socket, data, size, MSG_NOSIGNAL);
}

const short kPeerIsDone = POLLRDHUP;

ProcessFacts facts_of(const std::string& pid) {
  std::ifstream file("/proc/" + pid + "/stat");
  std::string text;
  std::getline(file, text);
  const auto name_end = text.rfind(')');  // the program's name, in parentheses, may hold anything
  if (name_end == std::string::npos) return {};
  std::istringstream fields(text.substr(name_end + 1));
  std::string state, start;
  fields >> state;
  for (int field = 4; field <= 22; ++field) fields >> start;  // field 22: clock ticks since boot
  return {!start.empty(), state == "Z" || state == "X", start};
}

std::string machine() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string boot;
  std::getline(file, boot);
  std::array<char, 64> link{};
  const ssize_t length = readlink("/proc/self/ns/pid", link.data(), link.size());  // "pid:[4026531836]"
  if (boot.empty() || length <= 0) return {};
  std::string processes;
  for (const char c : std::string(link.data(), static_cast<std::size_t>(length))) {
    if (c >= '0' && c <= '9') processes += c;
  }
  return boot + "-" + processes;
}

char** environment() { return environ; }

}  // namespace bocs::platform
