#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#ifdef __APPLE__
#include <crt_externs.h>
#else
extern char** environ;
#endif

#include "bocs/platform/platform.hpp"

namespace bocs::platform {
namespace {

/// One past the largest number that a descriptor can have. Nobody holds more than this many, whatever the limit says.
int descriptor_end() {
  constexpr rlim_t kMost = 65536;
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur > kMost) return static_cast<int>(kMost);
  return static_cast<int>(limit.rlim_cur);
}

bool close_on_exec(int descriptor) { return fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0; }

}  // namespace

void close_all_but(int kept) {
  for (int descriptor = 0, end = descriptor_end(); descriptor < end; ++descriptor) {
    if (descriptor != kept) close(descriptor);
  }
}

void close_on_exec_from(int first) {
  for (int descriptor = first, end = descriptor_end(); descriptor < end; ++descriptor) close_on_exec(descriptor);
}

void die_with_parent_thread() {}

bool make_pipe(int ends[2]) { return pipe(ends) == 0 && close_on_exec(ends[0]) && close_on_exec(ends[1]); }

int nameless_file() {
  const char* folder = getenv("TMPDIR");
  std::string name = std::string(folder != nullptr && *folder != '\0' ? folder : "/tmp") + "/bocs-XXXXXX";
  const int file = mkstemp(name.data());
  if (file < 0) return -1;
  unlink(name.c_str());
  close_on_exec(file);
  return file;
}

ssize_t send_quietly(int socket, const char* data, std::size_t size) {
#ifdef SO_NOSIGPIPE
  const int yes = 1;
  setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &yes, sizeof yes);
  return ::send(socket, data, size, 0);
#else
  return ::send(socket, data, size, MSG_NOSIGNAL);
#endif
}

const short kPeerIsDone = 0;

ProcessFacts facts_of(const std::string& /*pid*/) { return {}; }

std::string machine() { return {}; }

#ifdef __APPLE__
char** environment() { return *_NSGetEnviron(); }
#else
char** environment() { return environ; }
#endif

}  // namespace bocs::platform
