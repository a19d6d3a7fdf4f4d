#include <signal.h>
#include <unistd.h>

#include <cerrno>

#include "bocs/platform/platform.hpp"

namespace bocs::platform {

ssize_t write_quietly(int file, const char* data, std::size_t size) {
  sigset_t sigpipe, before, pending;
  sigemptyset(&sigpipe);
  sigaddset(&sigpipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &sigpipe, &before);
  const ssize_t n = write(file, data, size);
  const int error = errno;
  if (n < 0 && error == EPIPE && sigismember(&before, SIGPIPE) == 0 && sigpending(&pending) == 0 &&
      sigismember(&pending, SIGPIPE) == 1) {
    int number = 0;
    sigwait(&sigpipe, &number);  // the one that this thread has just got; macOS has no sigtimedwait()
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return n;
}

}  // namespace bocs::platform
