#include "bocs/experiment/results_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "bocs/base/error.hpp"

namespace bocs {
namespace {

constexpr const char* kFileName = "cells.jsonl";

std::string read_text(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Length of the text up to and including the last end of a line.
std::size_t whole_lines(const std::string& text) {
  const auto last = text.rfind('\n');
  return last == std::string::npos ? 0 : last + 1;
}

std::vector<CellResult> parse(const std::filesystem::path& path, const std::string& text) {
  std::vector<CellResult> results;
  const std::size_t size = whole_lines(text);
  for (std::size_t start = 0; start < size;) {
    const std::size_t end = text.find('\n', start);
    try {
      results.push_back(parse_line(text.substr(start, end - start)));
    } catch (const InvalidArgument& error) {
      throw InvalidArgument(path.string() + ":" + std::to_string(results.size() + 1) + ": " + error.what());
    }
    start = end + 1;
  }
  return results;
}

Error system_error(const std::filesystem::path& path, const char* what) {
  return Error(path.string() + " " + what + ": " + std::strerror(errno));
}

}  // namespace

std::vector<CellResult> read_results(const std::filesystem::path& folder) {
  const auto path = folder / kFileName;
  return parse(path, read_text(path));
}

ResultsFile::ResultsFile(const std::filesystem::path& folder) : path_(folder / kFileName) {
  std::error_code ignored;  // the open below says what is wrong
  std::filesystem::create_directories(folder, ignored);
  descriptor_ = open(path_.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) throw system_error(path_, "cannot be opened");
  try {
    if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
      if (errno != EWOULDBLOCK) throw system_error(path_, "cannot be locked");
      throw Error(path_.string() +
                  " is in use: another `bocs experiment run` works on it; wait for its end, or stop it");
    }
    const std::string text = read_text(path_);
    results_ = parse(path_, text);
    const std::size_t size = whole_lines(text);
    if (size < text.size() && ftruncate(descriptor_, static_cast<off_t>(size)) != 0) {
      throw system_error(path_, "cannot be cut after its last whole line");
    }
  } catch (...) {
    close(descriptor_);
    throw;
  }
}

ResultsFile::~ResultsFile() { close(descriptor_); }

void ResultsFile::append(const CellResult& result) {
  const std::string line = to_line(result) + "\n";
  const ssize_t written = write(descriptor_, line.data(), line.size());
  if (written < 0) throw system_error(path_, "cannot be written");
  if (static_cast<std::size_t>(written) < line.size()) throw Error(path_.string() + ": the disk is full");
}

}  // namespace bocs
