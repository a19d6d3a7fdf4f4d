#include "bocs/store/process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <iomanip>
#include <sstream>
#include <vector>

#include "bocs/base/error.hpp"

namespace bocs {
namespace {

// A worker's name is HOST/PID/START/MACHINE/UNIQUE: the first two for people; START, the process's start time in clock
// ticks since boot, since process numbers are used again; MACHINE: this boot of this kernel and this set of process
// numbers (containers have their own), within which PID means anything. START and MACHINE are empty where /proc is
// missing: then only heartbeats tell.

/// State letter and start time of a process, as /proc/PID/stat has them; empty if it cannot be read.
struct ProcessStat {
  std::string state, start;
};

ProcessStat read_stat(const std::string& pid) {
  std::ifstream file("/proc/" + pid + "/stat");
  std::string text;
  std::getline(file, text);
  const auto name_end = text.rfind(')');  // the program's name, in parentheses, may hold anything
  if (name_end == std::string::npos) return {};
  std::istringstream fields(text.substr(name_end + 1));
  ProcessStat stat;
  fields >> stat.state;
  for (int field = 4; field <= 22; ++field) fields >> stat.start;  // field 22 is the start time
  return stat;
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

std::string host() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return "unknown";
  std::string text = name.data();
  for (char& c : text) {
    if (c == '/') c = '_';
  }
  return text;
}

std::vector<std::string> split(const std::string& worker) {
  std::vector<std::string> parts;
  std::istringstream stream(worker);
  for (std::string part; std::getline(stream, part, '/');) parts.push_back(part);
  return parts;
}

}  // namespace

// Not std::random_device: compiled here, it would need the C library of this machine or a newer one.
std::uint64_t random_bits() {
  std::uint64_t bits = 0;
  if (getentropy(&bits, sizeof bits) != 0) throw Error("the system gives no random bits");
  return bits;
}

std::string unique_name() {
  std::ostringstream text;
  text << std::hex << std::setfill('0') << std::setw(16) << random_bits() << std::setw(16) << random_bits();
  return text.str();
}

std::string name_worker() {
  const std::string pid = std::to_string(getpid());
  return host() + "/" + pid + "/" + read_stat(pid).start + "/" + machine() + "/" + unique_name();
}

bool is_gone(const std::string& worker) {
  const auto parts = split(worker);
  if (parts.size() != 5) return false;
  const auto& pid = parts[1];
  const auto& start = parts[2];
  if (start.empty() || parts[3].empty() || parts[3] != machine()) return false;
  if (pid.empty() || pid.find_first_not_of("0123456789") != std::string::npos || pid.size() > 9) return false;
  if (kill(std::stoi(pid), 0) != 0 && errno == ESRCH) return true;
  const ProcessStat stat = read_stat(pid);
  if (stat.start.empty()) return false;  // another user's, hidden: it may well run
  return stat.start != start || stat.state == "Z" || stat.state == "X";
}

bool may_only_read(const std::string& file) {
  const auto may = [&](int what) { return faccessat(AT_FDCWD, file.c_str(), what, AT_EACCESS) == 0; };
  return may(R_OK) && !may(W_OK);
}

}  // namespace bocs
