#pragma once
// What POSIX alone cannot do, or does differently on each system. linux.cpp implements it with Linux's own calls;
// posix.cpp, for macOS and others, with POSIX. -D BOCS_PORTABLE=ON builds posix.cpp on Linux, too, to test it.

#include <sys/types.h>

#include <cstddef>
#include <string>

namespace bocs::platform {

// Between fork() and exec(), where only async-signal-safe calls are allowed.

/// Closes every descriptor but this one.
void close_all_but(int kept);
/// Every descriptor from this one on is closed by exec().
void close_on_exec_from(int first);
/// The calling process is killed when the thread that forked it ends. Where no call does this, it is killed only when
/// the whole process ends, by its Guard.
void die_with_parent_thread();

// Descriptors.

/// A pipe whose ends are closed by exec(). False: errno says why not.
bool make_pipe(int ends[2]);
/// An empty file without a name, closed by exec(); -1: errno says why not.
int nameless_file();
/// As write() and send(), without SIGPIPE.
ssize_t write_quietly(int file, const char* data, std::size_t size);
ssize_t send_quietly(int socket, const char* data, std::size_t size);
/// The events of poll() that say: the other side sends nothing more. 0 where poll() does not tell.
extern const short kPeerIsDone;

// Processes.

struct ProcessFacts {
  bool is_known = false;   // false: hidden, or this system does not say
  bool has_ended = false;  // it only waits to be reaped
  std::string start;       // tells it from others that had its number
};
ProcessFacts facts_of(const std::string& pid);
/// This boot of this kernel and this set of process numbers (containers have their own): within it a process number
/// means something. Empty where the system does not say: then only heartbeats tell whether a worker runs.
std::string machine();

/// The environment of this process.
char** environment();

}  // namespace bocs::platform
