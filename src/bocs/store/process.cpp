#include "bocs/store/process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <iomanip>
#include <sstream>
#include <vector>

#include "bocs/base/error.hpp"
#include "bocs/platform/platform.hpp"

namespace bocs {
namespace {

// A worker's name is HOST/PID/START/MACHINE/UNIQUE: the first two for people; START, when the process began, since
// process numbers are used again; MACHINE: within which PID means anything. START and MACHINE are empty where the
// system does not say (src/bocs/platform): then only heartbeats tell.

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
  return host() + "/" + pid + "/" + platform::facts_of(pid).start + "/" + platform::machine() + "/" + unique_name();
}

bool is_gone(const std::string& worker) {
  const auto parts = split(worker);
  if (parts.size() != 5) return false;
  const auto& pid = parts[1];
  const auto& start = parts[2];
  if (start.empty() || parts[3].empty() || parts[3] != platform::machine()) return false;
  if (pid.empty() || pid.find_first_not_of("0123456789") != std::string::npos || pid.size() > 9) return false;
  if (kill(std::stoi(pid), 0) != 0 && errno == ESRCH) return true;
  const platform::ProcessFacts facts = platform::facts_of(pid);
  if (!facts.is_known) return false;  // another user's, hidden: it may well run
  return facts.start != start || facts.has_ended;
}

bool may_only_read(const std::string& file) {
  const auto may = [&](int what) { return faccessat(AT_FDCWD, file.c_str(), what, AT_EACCESS) == 0; };
  return may(R_OK) && !may(W_OK);
}

}  // namespace bocs
